import type { TenantTx } from '../../../platform/database.ts'
import { emitMany } from '../../../platform/events.ts'
import { ticketRated } from '../events.ts'
import type { InboundMessage } from '../receiving/inbound-message.ts'
import type { Ticket } from '../tickets/schema.ts'
import { findRequested, storeRating } from './queries.ts'
import { ratingOf, type Tap } from './rating.ts'

/** Of these messages those that rate a ticket: they belong to it and open none. */
export async function findTaps<M extends InboundMessage>(
  tx: TenantTx,
  messages: M[],
  contactIdOf: (message: M) => string,
): Promise<Map<M, Tap>> {
  const taps = messages.flatMap((message) => {
    const rating = ratingOf(message.payload)
    return rating && message.contextMessageId !== null ? [{ message, rating, request: message.contextMessageId }] : []
  })
  if (taps.length === 0) return new Map()
  const requested = await findRequested(
    tx,
    taps.map(({ message: { channelId }, request: chatMessageId }) => ({ channelId, chatMessageId })),
  )
  return new Map(
    taps.flatMap(({ message, rating, request }) => {
      const found = requested.find(
        ({ channel_id, chat_message_id, contact_id }) =>
          channel_id === message.channelId && chat_message_id === request && contact_id === contactIdOf(message),
      )
      return found ? [[message, { ticketId: found.ticket_id, rating }]] : []
    }),
  )
}

export async function recordRatings(tx: TenantTx, taps: (Tap & { at: string })[]): Promise<void> {
  const rated: Ticket[] = []
  for (const tap of taps) {
    const ticket = await storeRating(tx, tap)
    if (ticket) rated.push(ticket)
  }
  await emitMany(tx, ticketRated, rated)
}
