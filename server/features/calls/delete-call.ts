import type { TenantTx } from '../../platform/database.ts'
import { found } from '../../platform/errors.ts'
import { emit } from '../../platform/events.ts'
import { callDeleted } from './events.ts'
import { deleteCallRow, lockCall } from './queries.ts'

/** Deletes the call with its transcript. A trigger on the row schedules the recording for removal. */
export async function deleteCall(tx: TenantTx, id: string): Promise<'deleted' | 'runs'> {
  const call = found(await lockCall(tx, id), 'Call')
  if ((await deleteCallRow(tx, id)) === 0) return 'runs'
  await emit(tx, callDeleted, call)
  return 'deleted'
}
