import type { TenantTx } from '../../platform/database.ts'
import { emit } from '../../platform/events.ts'
import { recordActivity } from '../contacts/record-activity.ts'
import type { ConversationUsage, Outcome } from './conversation/contract.ts'
import type { CallEndedReason } from './ended-reasons.ts'
import { callEnded } from './events.ts'
import { endCallRow } from './finish-queries.ts'
import { analyzeCallJob } from './job-kinds.ts'
import { removeSegments } from './queries.ts'
import type { Call, CallError, EndStatus, Latency, Segment } from './schema.ts'
import { callsChannel } from './signals.ts'

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

/**
 * The one way for a call to end: its row, timeline, event and the job for its summary in one transaction. Whoever comes
 * second finds it ended and changes nothing.
 */
export async function finishCall(tx: TenantTx, id: string, ending: Ending): Promise<Call | undefined> {
  const call = await endCallRow(tx, id, ending)
  if (!call) return undefined
  const { organizationId: organization_id, livemode } = tx.scope
  const { contact_id, agent_id, direction, status, duration_seconds, ended_reason } = call
  await Promise.all([
    removeSegments(tx, id),
    contact_id &&
      recordActivity(tx, {
        contactId: contact_id,
        type: 'call_logged',
        actor: agent_id ? { type: 'ai', id: agent_id } : { type: 'system', id: null },
        payload: { call_log_id: id, direction, status, duration_seconds, ended_reason },
      }),
    emit(tx, callEnded, call),
    tx.enqueue(analyzeCallJob, { organization_id, livemode, call_id: id }),
  ])
  // A slot is free.
  tx.signal(callsChannel)
  return call
}
