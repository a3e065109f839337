import type { TenantSql } from '../../../platform/database.ts'
import { found } from '../../../platform/errors.ts'
import type { LiveHints } from '../../../platform/live-hints.ts'
import { findTicketId } from '../tickets/ticket-queries.ts'
import type { Presence } from './schema.ts'

/** Tells the other members who is viewing a conversation or writing in it. Nothing is stored. */
export async function announcePresence(
  sql: TenantSql,
  hints: LiveHints,
  { ticketId, memberId, state }: { ticketId: string; memberId: string; state: Presence['state'] },
): Promise<void> {
  found(await findTicketId(sql, ticketId), 'Inbox ticket')
  hints.send({
    ...sql.scope,
    type: 'presence.changed',
    requires: 'inbox:read',
    object: { ticket_id: ticketId, member_id: memberId, state },
  })
}
