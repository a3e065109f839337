import { defineEvent } from '../../platform/events.ts'
import { EndedBulkEdit } from './bulk-edits/schema.ts'
import { Contact, MergedContact, OptedOutContact } from './schema.ts'
import { Activity } from './timeline/schema.ts'

const scope = 'contacts:read'

export const contactCreated = defineEvent('contact.created', scope, Contact)
export const contactUpdated = defineEvent('contact.updated', scope, Contact)
export const contactDeleted = defineEvent('contact.deleted', scope, Contact)
/** After `contact.updated` of the remaining contact and `contact.deleted` of the other one. */
export const contactMerged = defineEvent('contact.merged', scope, MergedContact)
export const contactStageChanged = defineEvent('contact.stage_changed', scope, Contact)
export const contactHandoff = defineEvent('contact.handoff', scope, Contact)
/** The contact opted out of marketing; opting in again is `contact.updated`. */
export const contactOptedOut = defineEvent('contact.opted_out', scope, OptedOutContact)
export const contactBlocked = defineEvent('contact.blocked', scope, Contact)
export const contactUnblocked = defineEvent('contact.unblocked', scope, Contact)
/** For activities that callers add; those that the service writes come with the event of their change. */
export const activityCreated = defineEvent('activity.created', scope, Activity)

/** All contacts that matched are edited. */
export const bulkEditCompleted = defineEvent('bulk_edit.completed', scope, EndedBulkEdit)
/** A member stopped it: contacts that were done stay edited. */
export const bulkEditCancelled = defineEvent('bulk_edit.cancelled', scope, EndedBulkEdit)

export const contactEvents = [
  contactCreated,
  contactUpdated,
  contactDeleted,
  contactMerged,
  contactStageChanged,
  contactHandoff,
  contactOptedOut,
  contactBlocked,
  contactUnblocked,
  activityCreated,
  bulkEditCompleted,
  bulkEditCancelled,
]
