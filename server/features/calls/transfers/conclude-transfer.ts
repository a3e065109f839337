import type { TenantTx } from '../../../platform/database.ts'
import { emit } from '../../../platform/events.ts'
import { callTransferred } from '../events.ts'
import { askForCallBack } from '../hand-off.ts'
import { concludeTransferRow } from './queries.ts'

/**
 * Records whether the caller was connected. If not, a task and a ticket ask for a call back. Idempotent: carriers repeat
 * their requests.
 */
export async function concludeTransfer(tx: TenantTx, id: string, isConnected: boolean): Promise<void> {
  const call = await concludeTransferRow(tx, id, isConnected ? 'connected' : 'not_answered')
  if (!call) return
  await emit(tx, callTransferred, call)
  if (!isConnected) await askForCallBack(tx, call, `The call was not taken at ${call.transfer?.to}.`)
}
