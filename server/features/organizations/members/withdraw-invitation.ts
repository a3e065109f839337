import type { TenantTx } from '../../../platform/database.ts'
import { found, notFound } from '../../../platform/errors.ts'
import type { Principal } from '../../../platform/http/principal.ts'
import { deleteInvitation, findInvitation, lockMembers } from './queries.ts'
import { mayManage, rankOf } from './rules.ts'

/** Withdraws an open invitation; an accepted one has become a member. */
export async function withdrawInvitation(tx: TenantTx, principal: Principal, id: string): Promise<void> {
  const manager = rankOf(principal, await lockMembers(tx, [principal.person?.userId]))
  const invitation = found(await findInvitation(tx, id), 'Invitation')
  mayManage(manager, invitation.role)
  const deleted = await deleteInvitation(tx, id)
  if (deleted === 0) throw notFound('Invitation')
}
