import type { TenantTx } from '../../../platform/database.ts'
import { badRequest, conflict, found } from '../../../platform/errors.ts'
import type { Principal } from '../../../platform/http/principal.ts'
import { announceTicket } from '../../inbox/tickets/announce-ticket.ts'
import type { Ticket } from '../../inbox/tickets/schema.ts'
import { lockTicketState, readNameOf, updateOwner } from './queries.ts'

/** Assigns a ticket to the caller, unless another member has it. */
export async function takeTicket(tx: TenantTx, { person }: Principal, id: string): Promise<Ticket> {
  if (!person) throw badRequest('Only a member can take a ticket: an API key assigns it with assignee_id')
  const { assignee_id, team_id } = found(await lockTicketState(tx, id), 'Inbox ticket')
  if (assignee_id !== null && assignee_id !== person.userId) {
    const { name } = await readNameOf(tx, assignee_id)
    throw conflict(`Already assigned to ${name}`, assignee_id)
  }
  if (assignee_id === null) await updateOwner(tx, id, { teamId: team_id, assigneeId: person.userId, reason: 'taken' })
  return announceTicket(tx, id, assignee_id === null ? { assignee_id } : undefined)
}
