import Type, { type Static } from 'typebox'
import { OffsetQuery } from '../../../platform/http/pagination.ts'
import { exampleFuture, exampleId, Id, Instant, Nullable, OneOf } from '../../../platform/schemas.ts'
import { ContactBrief, limits } from '../../contacts/schema.ts'
import { ActorType, MessageDirection, MessageStatus, MessageType, pageMembers } from '../schema.ts'

export const ticketStatuses = ['open', 'closed'] as const
const TicketStatus = OneOf(ticketStatuses)

export const priorities = ['low', 'normal', 'high', 'urgent'] as const
const Priority = OneOf(priorities, { examples: ['normal'] })

export const ticketLimits = { tags: 50 }
const tag = Type.String({ minLength: 1, maxLength: limits.tagCharacters })
const tags = Type.Array(tag, { maxItems: ticketLimits.tags, examples: [['billing']] })

/** A conversation with one contact. */
export const Ticket = Type.Object(
  {
    id: Id,
    organization_id: Id,
    contact_id: Id,
    chat_phone_number_id: Nullable({ ...Id, description: 'Channel of the last message' }),
    status: TicketStatus,
    assignee_id: Nullable({ ...Id, description: 'The assigned member' }),
    priority: Priority,
    tags,
    snoozed_until: Nullable({
      ...Instant,
      description: 'The ticket is set aside until this time, or until the contact writes',
      examples: [null],
    }),
    waiting_since: Nullable({
      ...Instant,
      description: 'Since when the contact waits for an answer; null if it does not',
    }),
    answered_by: OneOf(['ai', 'person'] as const, {
      description: '`ai` if the AI handles the contact and an active agent answers the ticket’s channel',
    }),
    team_id: Nullable({ ...Id, description: 'The team that handles it', examples: [null] }),
    sla_due_at: Nullable({
      ...Instant,
      description: 'When the first target of its SLA policy is due; in the past if it was missed',
      examples: [null],
    }),
    sla_target: Nullable(
      OneOf(['first_reply', 'next_reply', 'resolution'] as const, {
        description: 'What is due at `sla_due_at`',
        examples: [null],
      }),
    ),
    unread_count: Type.Integer({ description: 'Unread messages from the contact', examples: [1] }),
    last_message_at: Nullable(Instant),
    window_expires_at: Nullable({
      ...Instant,
      description: 'When the platform stops accepting free-form messages; null if the contact never wrote',
    }),
    rating: Nullable(
      OneOf(['good', 'okay', 'bad'] as const, { description: 'How the contact rated it', examples: ['good'] }),
    ),
    rated_at: Nullable({ ...Instant, examples: [null] }),
    livemode: Type.Boolean(),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'Ticket' },
)
export type Ticket = Static<typeof Ticket>

/** A conversation as the list shows it. */
const LastMessage = Type.Object(
  {
    id: Id,
    direction: MessageDirection,
    message_type: MessageType,
    preview: Type.String({ description: 'The first 120 characters of the text', examples: ['Is it open today?'] }),
    status: MessageStatus,
    actor_type: ActorType,
  },
  { title: 'LastMessage' },
)

const MatchedMessage = Type.Object(
  {
    id: Id,
    direction: MessageDirection,
    excerpt: Type.String({ description: 'The text around the match', examples: ['… is it open today?'] }),
    created_at: Instant,
  },
  { title: 'MatchedMessage' },
)

export const TicketWithContact = Type.Object(
  {
    ...Ticket.properties,
    ai_handling: Type.Boolean({ description: 'Whether the AI agent answers this contact' }),
    last_message: Nullable(LastMessage),
    matched_message: Type.Optional(
      Nullable({
        ...MatchedMessage,
        description: 'With `search`: the newest message that contains it; null if only the contact matches',
      }),
    ),
    contact: ContactBrief,
  },
  { title: 'TicketWithContact' },
)
export type TicketWithContact = Static<typeof TicketWithContact>

export const NewTicket = Type.Object({ contact_id: Id }, { title: 'NewTicket' })

const changes = {
  status: Type.Optional(TicketStatus),
  assignee_id: Type.Optional(Nullable(Id)),
  team_id: Type.Optional(
    Nullable({
      ...Id,
      description:
        'Passes the ticket to the team, without its assignee unless you name one; null removes it from its team',
      examples: [null],
    }),
  ),
  priority: Type.Optional(Priority),
  snoozed_until: Type.Optional(
    Nullable({
      ...Instant,
      description: 'Sets the ticket aside until then; null brings it back',
      examples: [exampleFuture],
    }),
  ),
}

export const TicketChanges = Type.Object(
  { ...changes, tags: Type.Optional(tags) },
  { title: 'TicketChanges', examples: [{ status: 'closed' }, { priority: 'high', tags: ['billing'] }] },
)
export type TicketChanges = Static<typeof TicketChanges>

export const BulkTicketChanges = Type.Object(
  {
    ids: Type.Array(Id, { minItems: 1, maxItems: 500, description: 'The tickets to change' }),
    ...changes,
    add_tags: Type.Optional(tags),
    remove_tags: Type.Optional(tags),
  },
  { title: 'BulkTicketChanges', examples: [{ ids: [exampleId('ids')], priority: 'high', add_tags: ['billing'] }] },
)
export type BulkTicketChanges = Static<typeof BulkTicketChanges>

export const BulkTicketResult = Type.Object(
  {
    updated: Type.Array(Ticket, { description: 'The tickets after the change' }),
    failed: Type.Array(
      Type.Object({ id: Id, detail: Type.String({ examples: ['Inbox ticket not found'] }) }, { title: 'FailedTicket' }),
      { description: 'The tickets that did not change, and why', examples: [[]] },
    ),
  },
  { title: 'BulkTicketResult' },
)
export type BulkTicketResult = Static<typeof BulkTicketResult>

export const queues = ['mine', 'unassigned', 'needs_person', 'ai', 'all', 'snoozed'] as const
export const ticketOrders = ['last_activity_at', 'priority', 'waiting_since', 'snoozed_until', 'sla_due_at'] as const

/** What a list can be narrowed down to, and a saved view keeps. */
const filters = {
  queue: Type.Optional(
    OneOf(queues, {
      description:
        'Open tickets: `mine` are assigned to the caller; `unassigned` to no one, and no AI answers them; in `needs_person` the contact waits and no AI answers; `ai` are answered by an active agent; `all` are all but the snoozed ones; `snoozed` are set aside',
    }),
  ),
  assignee_id: Type.Optional(Id),
  team_id: Type.Optional(Id),
  unread: Type.Optional(Type.Boolean({ description: 'Only tickets with, or only those without, unread messages' })),
  priority: Type.Optional(Priority),
  tag: Type.Optional(Type.String({ minLength: 1, maxLength: limits.tagCharacters })),
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Part of the contact’s name (case and accents are ignored) or number, or of a message',
    }),
  ),
  sort: Type.Optional(
    OneOf(ticketOrders, {
      description:
        'Most recently active first by default. Open tickets can also be sorted by `priority` (urgent first), `waiting_since` (longest first), `snoozed_until` and `sla_due_at` (next first)',
    }),
  ),
}

/** The filters of a saved view. */
export const ViewFilters = Type.Object(
  { status: Type.Optional(TicketStatus), ...filters },
  { title: 'ViewFilters', additionalProperties: false, examples: [{ queue: 'needs_person', sort: 'waiting_since' }] },
)

export const TicketFilter = Type.Object({
  ...OffsetQuery,
  status: Type.Optional(Type.String({ maxLength: 64, description: '`open` or `closed`', examples: ['open'] })),
  contact_id: Type.Optional(Id),
  ...filters,
})
export type TicketFilter = Omit<Static<typeof TicketFilter>, 'status'> & { status?: Ticket['status'] }

export const QueueCounts = Type.Object(
  {
    mine: Type.Integer({ examples: [3] }),
    unassigned: Type.Integer({ examples: [2] }),
    needs_person: Type.Integer({ examples: [1] }),
    ai: Nullable(Type.Integer({ description: 'Null if no active agent answers a channel', examples: [12] })),
    all: Type.Integer({ examples: [17] }),
    snoozed: Type.Integer({ examples: [1] }),
  },
  { title: 'QueueCounts' },
)

export const TicketTags = Type.Object(
  {
    tags: Type.Array(
      Type.Object({
        tag: Type.String({ examples: ['billing'] }),
        tickets: Type.Integer({ minimum: 1, description: 'Number of tickets with this tag' }),
      }),
    ),
  },
  { title: 'TicketTags' },
)

export const TicketPage = Type.Object({ ...pageMembers, inboxes: Type.Array(TicketWithContact) })
