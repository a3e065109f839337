import type { TenantTx } from '../../platform/database.ts'
import { notFound } from '../../platform/errors.ts'
import { emit } from '../../platform/events.ts'
import { agentDeleted } from './events.ts'
import { removeAgent } from './queries.ts'

/** Deletes its versions and sessions too; channels and calls that refer to it stay, without it. */
export async function deleteAgent(tx: TenantTx, id: string): Promise<void> {
  const agent = await removeAgent(tx, id)
  if (!agent) throw notFound('Agent')
  await emit(tx, agentDeleted, agent)
}
