import type { Feature } from '../../platform/feature.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import type { Conversing } from '../agents/answering/turn.ts'
import type { Sending } from '../inbox/sending/send-message.ts'
import { followConversations } from './follow-conversations.ts'
import { agentReplyJobKinds } from './job-kinds.ts'
import { agentReplyJobs } from './jobs.ts'
import { replyData } from './personal-data.ts'

export const agentReplies: Feature<
  Sending & {
    conversing: Conversing
    secrets: SecretBox
    settings: { AGENT_REPLY_DELAY_MS: number; AGENT_REPLIES_PER_HOUR: number }
  }
> = {
  jobKinds: agentReplyJobKinds,
  personalData: replyData,
  open: ({ conversing, settings, ...services }) => ({
    jobs: agentReplyJobs({
      ...conversing,
      ...services,
      delayMs: settings.AGENT_REPLY_DELAY_MS,
      answersPerHour: settings.AGENT_REPLIES_PER_HOUR,
    }),
    subscriptions: [followConversations],
  }),
}
