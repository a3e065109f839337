import type { ConversationUsage, Outcome } from './conversation/contract.ts'
import type { CallEndedReason } from './ended-reasons.ts'
import type { CallError, Latency, Segment } from './schema.ts'
import type { EndStatus } from './statuses.ts'

/** How a call ended, as far as is known where it is ended. */
export interface Ending {
  status: EndStatus
  telephonyStatus: string
  endedReason: CallEndedReason
  error?: CallError | undefined
  /** What the conversation was; without it, what was said so far is the transcript. */
  conversation?: FinishedConversation | undefined
  /** Without a conversation: when the process that held the call was last known to live. Its audio ended then. */
  lastAliveAt?: string | null
}

export interface FinishedConversation {
  durationSeconds: number
  transcript: Segment[]
  latency: Latency | null
  usage: ConversationUsage
  failures: Outcome['failures']
  tools: Outcome['tools']
  handoffReason: string | null
  recording: StoredRecording | null
}

export interface StoredRecording {
  key: string
  size: number
  sha256: string
}
