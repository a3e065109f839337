import type { TenantTx } from '../../platform/database.ts'
import { notFound } from '../../platform/errors.ts'
import { deleteCallRow, lockCall } from './queries.ts'

/** With its transcript; its recording is booked for removal by the row that goes. */
export async function deleteCall(tx: TenantTx, id: string): Promise<'deleted' | 'runs'> {
  if (!(await lockCall(tx, id))) throw notFound('Call')
  return (await deleteCallRow(tx, id)) === 1 ? 'deleted' : 'runs'
}
