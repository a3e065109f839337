import type { TenantTx } from '../../platform/database.ts'
import { found } from '../../platform/errors.ts'
import { emit } from '../../platform/events.ts'
import { agentDeleted } from './events.ts'
import { removeAgent } from './queries.ts'

/** Deletes its versions and sessions too; channels and calls that refer to it stay, without it. */
export async function deleteAgent(tx: TenantTx, id: string): Promise<void> {
  const agent = found(await removeAgent(tx, id), 'Agent')
  await emit(tx, agentDeleted, agent)
}
