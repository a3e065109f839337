import { defineEvent } from '../../platform/events.ts'
import { Template } from './schema.ts'

const scope = { scope: 'campaigns:manage', narrowerScope: 'campaigns:read' }

export const templateCreated = defineEvent('template.created', scope, Template)
export const templateApproved = defineEvent('template.approved', scope, Template)
export const templateRejected = defineEvent('template.rejected', scope, Template)
/** Any other change: the platform's own status, quality, category, content, or registration progress. */
export const templateUpdated = defineEvent('template.updated', scope, Template)
export const templateDeleted = defineEvent('template.deleted', scope, Template)

export const templateEvents = [templateCreated, templateApproved, templateRejected, templateUpdated, templateDeleted]
