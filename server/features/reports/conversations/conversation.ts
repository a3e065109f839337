import Type, { type Static } from 'typebox'
import { Id, Instant, Nullable } from '../../../platform/schemas.ts'

/** One time that a ticket was open: from its opening, or a reopening, to its closing. */
export const Conversation = Type.Object({
  organization_id: Id,
  livemode: Type.Boolean(),
  ticket_id: Id,
  started_at: Instant,
  is_reopened: Type.Boolean(),
  contact_id: Id,
  channel_id: Nullable(Id),
  assignee_id: Nullable(Id),
  team_id: Nullable(Id),
  ticket_tags: Type.Array(Type.String()),
  replier_id: Nullable(Id),
  first_inbound_at: Nullable(Instant),
  first_reply_at: Nullable(Instant),
  first_member_reply_at: Nullable(Instant),
  agent_replies: Type.Integer(),
  member_replies: Type.Integer(),
  is_handed_off: Type.Boolean(),
  ended_at: Nullable(Instant),
  rating: Nullable(Type.String()),
  rated_at: Nullable(Instant),
})
export type Conversation = Static<typeof Conversation>

/** The part of an event that reports need. `ticket_id` is null for events of a contact. */
export const Step = Type.Object({
  organization_id: Id,
  livemode: Type.Boolean(),
  type: Type.String(),
  ticket_id: Nullable(Id),
  contact_id: Id,
  channel_id: Nullable(Id),
  /** The assignee of the ticket, or the sender of the message. */
  member_id: Nullable(Id),
  team_id: Nullable(Id),
  /** Of the ticket; null for messages. */
  tags: Nullable(Type.Array(Type.String())),
  rating: Nullable(Type.String()),
  rated_at: Nullable(Instant),
  sender: Nullable(Type.String()),
  merged_contact_id: Nullable(Id),
  /** When the message was written, or the ticket changed. */
  at: Instant,
})
export type Step = Static<typeof Step>

/** Applies an event of a ticket to its latest conversation. Returns the conversation that a reopening starts, if it does. */
export function applyToTicket(latest: Conversation, step: Step): Conversation {
  switch (step.type) {
    case 'message.received':
      latest.channel_id = step.channel_id
      latest.first_inbound_at = earlier(latest.first_inbound_at, step.at)
      return latest
    case 'message.sent':
      applyReply(latest, step)
      return latest
    case 'ticket.reopened':
      return startConversation(latest, { startedAt: step.at, isReopened: true, step })
    default:
      latest.assignee_id = step.member_id
      latest.team_id = step.team_id
      latest.ticket_tags = step.tags ?? []
      latest.contact_id = step.contact_id
      latest.channel_id = step.channel_id ?? latest.channel_id
      if (step.type === 'ticket.closed') latest.ended_at = step.at
      if (step.type === 'ticket.rated') Object.assign(latest, { rating: step.rating, rated_at: step.rated_at })
      return latest
  }
}

/** Campaigns and automatic messages are not replies. */
function applyReply(conversation: Conversation, { sender, member_id, at }: Step): void {
  if (sender !== 'agent' && sender !== 'member') return
  const isResponse = conversation.first_inbound_at !== null && at >= conversation.first_inbound_at
  if (isResponse) conversation.first_reply_at = earlier(conversation.first_reply_at, at)
  if (sender === 'agent') {
    conversation.agent_replies++
    return
  }
  conversation.member_replies++
  conversation.replier_id ??= member_id
  if (isResponse) conversation.first_member_reply_at = earlier(conversation.first_member_reply_at, at)
}

/** The AI was turned off for the contact, or the contact became part of another one, with all its conversations. */
export function applyToContact(conversations: Iterable<Conversation>, step: Step): void {
  const isMerged = step.type === 'contact.merged'
  const contactId = isMerged ? step.merged_contact_id : step.contact_id
  for (const conversation of conversations) {
    if (conversation.contact_id !== contactId) continue
    if (isMerged) conversation.contact_id = step.contact_id
    else if (conversation.ended_at === null) conversation.is_handed_off = true
  }
}

export const startConversation = (
  ticket: Pick<Conversation, 'organization_id' | 'livemode' | 'ticket_id'>,
  { startedAt, isReopened, step }: { startedAt: string; isReopened: boolean; step: Step },
): Conversation => ({
  organization_id: ticket.organization_id,
  livemode: ticket.livemode,
  ticket_id: ticket.ticket_id,
  started_at: startedAt,
  is_reopened: isReopened,
  contact_id: step.contact_id,
  channel_id: step.channel_id,
  assignee_id: step.type.startsWith('ticket.') ? step.member_id : null,
  team_id: step.team_id,
  ticket_tags: step.tags ?? [],
  replier_id: null,
  first_inbound_at: null,
  first_reply_at: null,
  first_member_reply_at: null,
  agent_replies: 0,
  member_replies: 0,
  is_handed_off: false,
  ended_at: null,
  rating: null,
  rated_at: null,
})

const earlier = (a: string | null, b: string): string => (a !== null && a < b ? a : b)
