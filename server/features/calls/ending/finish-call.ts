import type { TenantTx } from '../../../platform/database.ts'
import { emit } from '../../../platform/events.ts'
import { recordActivity } from '../../contacts/timeline/record-activity.ts'
import { callEnded } from '../events.ts'
import { analyzeCallJob } from '../job-kinds.ts'
import { removeSegments } from '../queries.ts'
import type { Call } from '../schema.ts'
import { callsChannel } from '../signals.ts'
import type { Ending } from './ending.ts'
import { endCallRow } from './finish-queries.ts'

/**
 * The only way to end a call: row, timeline, event and analysis job in one transaction. Idempotent: returns undefined
 * if the call has already ended.
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
  // Wakes the dispatchers: a slot is free.
  tx.signal(callsChannel)
  return call
}
