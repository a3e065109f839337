import type { Ticket } from '../tickets/schema.ts'

export type Rating = NonNullable<Ticket['rating']>

/** A message by which a contact rates a ticket. */
export interface Tap {
  ticketId: string
  rating: Rating
}

const buttonIds: Record<string, Rating> = { 'rating-good': 'good', 'rating-okay': 'okay', 'rating-bad': 'bad' }

export const buttonIdOf = (rating: Rating): string => `rating-${rating}`

/** Set when the message was received. The id of a button says less: other messages may use the same. */
export const isRating = (payload: Record<string, unknown> | null): boolean => typeof payload?.rating === 'string'

/** The rating of a tap that quotes a request for a rating; undefined for every other message. */
export function ratingOf(payload: Record<string, unknown> | null): Rating | undefined {
  const interactive = payload?.interactive as { button_reply?: { id?: unknown } } | undefined
  const id = interactive?.button_reply?.id
  return typeof id === 'string' && Object.hasOwn(buttonIds, id) ? buttonIds[id] : undefined
}
