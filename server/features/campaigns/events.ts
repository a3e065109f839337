import { defineEvent } from '../../platform/events.ts'
import { Campaign } from './schema.ts'

const scope = { scope: 'campaigns:manage', narrowerScope: 'campaigns:read' }

export const campaignScheduled = defineEvent('campaign.scheduled', scope, Campaign)
export const campaignStarted = defineEvent('campaign.started', scope, Campaign)
export const campaignPaused = defineEvent('campaign.paused', scope, Campaign)
/** After a pause, or because deliveries of a completed campaign are retried. */
export const campaignResumed = defineEvent('campaign.resumed', scope, Campaign)
export const campaignCompleted = defineEvent('campaign.completed', scope, Campaign)
export const campaignFailed = defineEvent('campaign.failed', scope, Campaign)
export const campaignCancelled = defineEvent('campaign.cancelled', scope, Campaign)
/** A scheduled campaign was changed, or the reason of a pause. */
export const campaignUpdated = defineEvent('campaign.updated', scope, Campaign)
export const campaignDeleted = defineEvent('campaign.deleted', scope, Campaign)

export const campaignEvents = [
  campaignScheduled,
  campaignStarted,
  campaignPaused,
  campaignResumed,
  campaignCompleted,
  campaignFailed,
  campaignCancelled,
  campaignUpdated,
  campaignDeleted,
]
