import { agentReplyJobKinds } from './features/agent-replies/job-kinds.ts'
import { agentEvents } from './features/agents/events.ts'
import { sweepSessionsJob } from './features/agents/jobs.ts'
import { callEvents } from './features/calls/events.ts'
import { callJobKinds } from './features/calls/job-kinds.ts'
import { campaignEvents } from './features/campaigns/events.ts'
import { stopCampaignsJob } from './features/campaigns/jobs.ts'
import { channelEvents } from './features/channels/events.ts'
import { channelJobKinds } from './features/channels/job-kinds.ts'
import { contactEvents } from './features/contacts/events.ts'
import { importContactsJob, sweepUploadsJob } from './features/contacts/imports/jobs.ts'
import { expireEventsJob } from './features/events/jobs.ts'
import { sweepFilesJob } from './features/files/jobs.ts'
import { sweepHooksJob } from './features/hooks/jobs.ts'
import { inboxEvents } from './features/inbox/events.ts'
import { inboxJobKinds } from './features/inbox/jobs.ts'
import { documentEvents } from './features/knowledge/events.ts'
import { indexDocumentJob, sweepKnowledgeJob } from './features/knowledge/job-kinds.ts'
import { taskEvents } from './features/tasks/events.ts'
import { templateEvents } from './features/templates/events.ts'
import { templateJobKinds } from './features/templates/job-kinds.ts'
import { webhookEvents } from './features/webhooks/events.ts'
import { webhookJobKinds } from './features/webhooks/job-kinds.ts'
import type { EventKind } from './platform/events.ts'
import { cleanUpHttpJob } from './platform/http/cleanup.ts'
import type { JobKind } from './platform/jobs.ts'

/** The queues that exist; migrations make them before anybody uses them. */
export const jobKinds: JobKind[] = [
  cleanUpHttpJob,
  expireEventsJob,
  importContactsJob,
  indexDocumentJob,
  sweepFilesJob,
  sweepHooksJob,
  sweepKnowledgeJob,
  sweepSessionsJob,
  sweepUploadsJob,
  ...inboxJobKinds,
  ...channelJobKinds,
  ...templateJobKinds,
  ...agentReplyJobKinds,
  stopCampaignsJob,
  ...webhookJobKinds,
  ...callJobKinds,
]

/** Everything that can happen, as callers may hear of it. */
export const eventKinds: EventKind[] = [
  ...contactEvents,
  ...taskEvents,
  ...channelEvents,
  ...inboxEvents,
  ...templateEvents,
  ...campaignEvents,
  ...documentEvents,
  ...webhookEvents,
  ...agentEvents,
  ...callEvents,
]
