import type { TenantTx } from '../../platform/database.ts'
import { notFound } from '../../platform/errors.ts'
import { emit } from '../../platform/events.ts'
import { callDeleted } from './events.ts'
import { deleteCallRow, lockCall } from './queries.ts'

/** With its transcript; its recording is booked for removal by the row that goes. */
export async function deleteCall(tx: TenantTx, id: string): Promise<'deleted' | 'runs'> {
  const call = await lockCall(tx, id)
  if (!call) throw notFound('Call')
  if ((await deleteCallRow(tx, id)) === 0) return 'runs'
  await emit(tx, callDeleted, call)
  return 'deleted'
}
