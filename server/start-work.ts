import type { Settings } from './config.ts'
import { followConversations } from './features/agent-replies/follow-conversations.ts'
import { agentReplyJobs } from './features/agent-replies/jobs.ts'
import type { Conversing } from './features/agents/converse.ts'
import { agentJobs } from './features/agents/jobs.ts'
import { callJobs } from './features/calls/jobs.ts'
import { campaignJobs, followDeletions } from './features/campaigns/jobs.ts'
import { startSending } from './features/campaigns/sending/start-sending.ts'
import type { ChatConnector } from './features/channels/create-chat-lines.ts'
import { channelJobs } from './features/channels/jobs.ts'
import { importJobs } from './features/contacts/imports/jobs.ts'
import { eventJobs } from './features/events/jobs.ts'
import { fileJobs } from './features/files/jobs.ts'
import { hookJobs } from './features/hooks/jobs.ts'
import type { Processing } from './features/hooks/process-hooks.ts'
import { startHookProcessing } from './features/hooks/start-processing.ts'
import { inboxJobs } from './features/inbox/jobs.ts'
import { knowledgeJobs } from './features/knowledge/jobs.ts'
import { followChannels } from './features/templates/follow-channels.ts'
import { templateJobs } from './features/templates/jobs.ts'
import { startDelivering } from './features/webhooks/delivering/start-delivering.ts'
import { fanOut } from './features/webhooks/fan-out.ts'
import { webhookJobs } from './features/webhooks/jobs.ts'
import { deliveryLimits } from './from-settings.ts'
import { type Subscription, startSubscriptions } from './platform/events.ts'
import { httpJobs } from './platform/http/cleanup.ts'
import type { Jobs } from './platform/jobs.ts'
import { createOutboundHttp } from './platform/outbound-fetch.ts'
import type { PhoneNumbers } from './platform/phone-numbers.ts'
import type { Signals } from './platform/signals.ts'
import type { FileStore } from './providers/files/contract.ts'

export interface WorkDependencies extends Omit<Processing, 'mediaAddress'> {
  settings: Settings
  jobs: Jobs
  signals: Signals
  files: FileStore
  live: ChatConnector
  conversing: Conversing
  inbox: Parameters<typeof inboxJobs>[0] & { phones: PhoneNumbers }
  lines: Parameters<typeof inboxJobs>[0]['lines']
  knowledge: Parameters<typeof knowledgeJobs>[0]
  calls: Parameters<typeof callJobs>[0]
}

/** Everything that a worker does when nobody asks: jobs, reactions to events, webhooks in and out, campaigns. */
export async function startWork(
  work: WorkDependencies,
  subscriptions: Subscription[],
): Promise<{ close(): Promise<void> }> {
  const { settings, jobs, signals, log, database, phones, files, secrets, hooks, live, lines } = work
  const { inbox, knowledge, conversing, calls } = work
  const followed = [followChannels, followDeletions, followConversations, fanOut, ...subscriptions]
  const following = startSubscriptions(database, signals, log, followed)
  await jobs.work([
    ...importJobs(database, { phones }),
    ...httpJobs(database),
    ...eventJobs(database, { retentionDays: settings.EVENT_RETENTION_DAYS }),
    ...fileJobs(database, { files, log }),
    ...hookJobs(database),
    ...inboxJobs(inbox),
    ...channelJobs({ database, secrets, hooks, live, log }),
    ...templateJobs({ database, lines, log }),
    ...knowledgeJobs(knowledge),
    ...campaignJobs(database),
    ...webhookJobs(database, { retentionDays: settings.EVENT_RETENTION_DAYS }),
    ...agentJobs(database),
    ...agentReplyJobs({
      ...conversing,
      ...inbox,
      secrets,
      delayMs: settings.AGENT_REPLY_DELAY_MS,
      answersPerHour: settings.AGENT_REPLIES_PER_HOUR,
    }),
    ...callJobs(calls),
  ])
  await following.ready
  const processing = { database, log, phones, secrets, hooks, mediaAddress: inbox.mediaAddress }
  const hookProcessing = startHookProcessing(processing, signals)
  const sending = await startSending({ database, lines, log, leaseSeconds: settings.CAMPAIGN_LEASE_SECONDS }, signals)
  // With connections of its own: they end when the deliveries have to.
  const http = createOutboundHttp({ allow: settings.OUTBOUND_ALLOW })
  const delivering = startDelivering({ database, secrets, log, http }, signals, deliveryLimits(settings))
  return {
    async close() {
      await Promise.all([following.close(), hookProcessing.close(), sending.close(), delivering.close()])
    },
  }
}
