import type { TenantTx } from '../../../platform/database.ts'
import { found, notFound } from '../../../platform/errors.ts'
import type { Principal } from '../../../platform/http/principal.ts'
import { deleteInvitation, findOfferedRole, lockMembers } from './queries.ts'
import { managerOf, mayManage } from './rules.ts'

/** Withdraws an open invitation; an accepted one has become a member. */
export async function withdrawInvitation(tx: TenantTx, principal: Principal, id: string): Promise<void> {
  const manager = managerOf(principal, await lockMembers(tx, [principal.person?.userId]))
  mayManage(manager, found(await findOfferedRole(tx, id), 'Invitation'))
  const deleted = await deleteInvitation(tx, id)
  if (deleted === 0) throw notFound('Invitation')
}
