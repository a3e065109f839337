import type { SystemTx } from '../../../platform/database.ts'
import type { EventRange, RangeSubscription } from '../../../platform/events.ts'
import { ticketRated } from '../../inbox/events.ts'
import { applyToContact, applyToTicket, type Conversation, type Step, startConversation } from './conversation.ts'
import {
  countMessages,
  dropEarlierRatings,
  findConversations,
  followedTypes,
  lockTickets,
  moveConversations,
  readSteps,
  storeConversations,
} from './follow-queries.ts'

/**
 * Keeps what reports are computed from. The rows depend on the events and their order alone, and commit together with
 * the position in the stream: reading all events again gives the same rows.
 */
export const followConversations: RangeSubscription = {
  name: 'reports',
  types: followedTypes,
  maxEvents: 2_000,
  fromStart: true,
  async processRange(range: EventRange, tx: SystemTx) {
    await countMessages(tx, range)
    const steps = await readSteps(tx, range)
    if (steps.length > 0) await followSteps(tx, steps)
  },
}

async function followSteps(tx: SystemTx, steps: Step[]): Promise<void> {
  const tickets = new Map((await lockTickets(tx, steps)).map((ticket) => [ticket.ticket_id, ticket]))
  const known = await findConversations(tx, [...tickets.values()], steps)
  // The latest conversation of each ticket. Those that a reopening replaces are stored too.
  const latest = new Map(known.map((conversation) => [conversation.ticket_id, conversation]))
  const changed = new Set<Conversation>(known)
  for (const step of steps) {
    if (step.ticket_id === null) {
      applyToContact(latest.values(), step)
      continue
    }
    const ticket = tickets.get(step.ticket_id)
    // Deleted since, with everything that belongs to it.
    if (!ticket) continue
    const before =
      latest.get(step.ticket_id) ?? startConversation(ticket, { startedAt: ticket.created_at, isReopened: false, step })
    const after = applyToTicket(before, step)
    latest.set(step.ticket_id, after)
    changed.add(before).add(after)
  }
  await storeConversations(tx, [...changed])
  for (const step of steps) if (step.merged_contact_id !== null) await moveConversations(tx, step)
  const rated = steps.flatMap(({ type, ticket_id }) => (type === ticketRated.type && ticket_id ? [ticket_id] : []))
  if (rated.length > 0) await dropEarlierRatings(tx, rated)
}
