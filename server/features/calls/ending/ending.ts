import type { ConversationOutcome, ConversationUsage } from '../conversation/contract.ts'
import type { CallProviders } from '../holding/track-providers.ts'
import type { CallError, Segment } from '../schema.ts'
import type { EndStatus } from '../statuses.ts'
import type { CallEndedReason } from './ended-reasons.ts'
import type { Latency } from './schema.ts'

/** How a call ended. */
export interface Ending {
  status: EndStatus
  telephonyStatus: string
  endedReason: CallEndedReason
  error?: CallError | undefined
  /** Result of the conversation. Without it, the transcript is built from the segments saved so far. */
  conversation?: FinishedConversation | undefined
  /** Without a conversation: the last heartbeat of the holder. The audio ended at that time. */
  lastAliveAt?: string | null
}

export interface FinishedConversation {
  durationSeconds: number
  transcript: Segment[]
  latency: Latency | null
  usage: ConversationUsage
  failures: ConversationOutcome['failures']
  tools: ConversationOutcome['tools']
  fallbacks: CallProviders['fallbacks']
  ownKeys: CallProviders['ownKeys']
  handoffReason: string | null
  recording: StoredRecording | null
}

export interface StoredRecording {
  key: string
  size: number
  sha256: string
}
