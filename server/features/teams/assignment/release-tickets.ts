import type { Database } from '../../../platform/database.ts'
import { announceTicket } from '../../inbox/tickets/announce-ticket.ts'
import { findTicketsOfRemoved, releaseTicketRows } from './queries.ts'

/** Takes the team's open tickets from members who left it, in both modes. */
export async function releaseTickets(
  database: Database,
  { organizationId, teamId, memberIds }: { organizationId: string; teamId: string; memberIds: string[] },
): Promise<void> {
  for (const livemode of [true, false])
    await database.inTenant({ organizationId, livemode }, async (tx) => {
      for (const { id, previous_assignee_id } of await releaseTicketRows(tx, teamId, memberIds))
        await announceTicket(tx, id, { assignee_id: previous_assignee_id })
    })
}

/**
 * Announces the open tickets that a removed member had, in both modes. The database has taken them from the member
 * together with the membership; the event tells webhooks and the console, and has the tickets assigned again.
 */
export async function announceTicketsOfRemoved(
  database: Database,
  organizationId: string,
  memberId: string,
): Promise<void> {
  for (const livemode of [true, false])
    await database.inTenant({ organizationId, livemode }, async (tx) => {
      for (const { id } of await findTicketsOfRemoved(tx, memberId))
        await announceTicket(tx, id, { assignee_id: memberId })
    })
}
