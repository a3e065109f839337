import type { Database } from '../../../platform/database.ts'
import { announceTickets } from '../../inbox/tickets/announce-ticket.ts'
import { findTicketsOfRemoved, releaseTicketRows } from './queries.ts'

/** Takes the team's open tickets from members who left it, in both modes. */
export async function releaseTickets(
  database: Database,
  { organizationId, teamId, memberIds }: { organizationId: string; teamId: string; memberIds: string[] },
): Promise<void> {
  for (const livemode of [true, false])
    await database.inTenant({ organizationId, livemode }, async (tx) => {
      const released = await releaseTicketRows(tx, teamId, memberIds)
      for (const [assignee_id, tickets] of Map.groupBy(released, (ticket) => ticket.previous_assignee_id))
        await announceTickets(tx, idsOf(tickets), { assignee_id })
    })
}

/**
 * Announces the open tickets that a removed member had, in both modes. The database has taken them from the member
 * together with the membership; the event tells webhooks and the console, and has the tickets assigned again. If the job
 * ends between the modes, the events of the first are repeated.
 */
export async function announceTicketsOfRemoved(
  database: Database,
  { organizationId, memberId, removedAt }: { organizationId: string; memberId: string; removedAt: string },
): Promise<void> {
  for (const livemode of [true, false])
    await database.inTenant({ organizationId, livemode }, async (tx) => {
      const tickets = await findTicketsOfRemoved(tx, memberId, removedAt)
      await announceTickets(tx, idsOf(tickets), { assignee_id: memberId })
    })
}

const idsOf = (tickets: { id: string }[]) => tickets.map(({ id }) => id)
