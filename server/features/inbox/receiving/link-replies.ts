import type { TenantTx } from '../../../platform/database.ts'
import { emitMany } from '../../../platform/events.ts'
import { messageUpdated } from '../events.ts'
import { findMessages } from '../messages/message-queries.ts'
import { addMessageCounts } from '../tickets/ticket-queries.ts'
import { findAnswered, joinTickets, type PossibleReply } from './reply-queries.ts'

/** A contact's reply to a campaign's message. */
export interface CampaignReply {
  deliveryId: string
  /** The platform's time of the reply. */
  at: string
  /** Label of the button that the contact tapped; null for any other reply. */
  button: string | null
}

/**
 * Finds the campaign messages that these inbound messages reply to. A campaign's message belongs to no ticket if none
 * was open when it was sent: it joins the ticket of the first reply. The contacts must be locked.
 */
export async function linkReplies(tx: TenantTx, given: PossibleReply[]): Promise<CampaignReply[]> {
  const answered = await findAnswered(tx, given)
  if (answered.length === 0) return []
  const ticketOf = new Map(
    answered
      .filter(({ ticket_id }) => ticket_id === null)
      .map(({ position, id }) => [id, given[position - 1]?.ticketId as string]),
  )
  if (ticketOf.size > 0) await join(tx, ticketOf)
  return answered.map(({ position, delivery_id }) => {
    const { at, body, payload } = given[position - 1] as PossibleReply
    return { deliveryId: delivery_id, at, button: payload?.type === 'button' ? body : null }
  })
}

async function join(tx: TenantTx, ticketOf: Map<string, string>): Promise<void> {
  await joinTickets(tx, [...ticketOf])
  const messages = await findMessages(tx, [...ticketOf.keys()], '')
  await Promise.all([
    addMessageCounts(
      tx,
      [...Map.groupBy(messages, ({ inbox_id }) => inbox_id as string)].map(([ticketId, joined]) => ({
        ticketId,
        channelId: joined.at(-1)?.chat_phone_number_id as string,
        messages: joined.length,
        unread: 0,
        at: joined.at(-1)?.created_at as string,
        from: 'campaign',
      })),
    ),
    emitMany(
      tx,
      messageUpdated,
      messages,
      messages.map(() => ({ inbox_id: null })),
    ),
  ])
}
