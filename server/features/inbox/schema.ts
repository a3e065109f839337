import Type, { type Static } from 'typebox'
import { OffsetQuery } from '../../platform/http/pagination.ts'
import { exampleFuture, exampleId, FreeObject, Id, IdOf, Instant, Nullable, OneOf } from '../../platform/schemas.ts'
import { ContactBrief, limits } from '../contacts/schema.ts'
import { templateVariables } from '../templates/schema.ts'
import { ContactCard, Interactive, Place } from './rich/schema.ts'

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
      description: 'Until when the ticket is set aside; it comes back then, or when the contact writes',
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

export const messageTypes = ['text', 'image', 'document', 'audio', 'video'] as const
export const MessageType = OneOf(messageTypes)
export type MessageType = Static<typeof MessageType>
const MessageDirection = OneOf(['inbound', 'outbound'] as const)
const MessageStatus = OneOf(['sent', 'delivered', 'read', 'failed'] as const)
const ActorType = OneOf(['user', 'ai', 'system'] as const, {
  description: 'Sender; `system` is the contact, and of an away message the service',
})

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

export const TicketPath = Type.Object({ inbox_id: IdOf('inbox ticket') })

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

export const pageMembers = {
  total: Type.Integer({ description: 'Total number of records', examples: [1] }),
  page: Type.Integer({ description: 'Page number, starting at 1', examples: [1] }),
  size: Type.Integer({ description: 'Number of records returned', examples: [1] }),
}

export const TicketPage = Type.Object({ ...pageMembers, inboxes: Type.Array(TicketWithContact) })

/** What members say of an agent's answer. */
export const answerRatings = ['up', 'down'] as const

export const Message = Type.Object(
  {
    id: Id,
    inbox_id: Nullable({
      ...Id,
      description:
        'Ticket of the message; null only in events of a campaign’s message to a contact without an open ticket. It joins the ticket of the contact’s reply',
    }),
    organization_id: Id,
    contact_id: Id,
    chat_phone_number_id: { ...Id, description: 'Channel of the message' },
    chat_message_id: Type.String({
      description: 'Assigned by the messaging platform; empty until it has accepted the message',
      examples: ['wamid.HBgLMTQxNTU1NTAxMDA'],
    }),
    direction: MessageDirection,
    message_type: MessageType,
    body: Type.String({ description: 'The text, or the caption of a file', examples: ['Is it open today?'] }),
    status: MessageStatus,
    error: Nullable(
      Type.Object(
        { code: Type.String({ examples: ['131026'] }), message: Type.String({ examples: ['Message undeliverable'] }) },
        {
          title: 'MessageError',
          description: 'Why it failed. The code `unknown` means that it may have been sent; a receipt corrects it',
        },
      ),
    ),
    media_url: Nullable(
      Type.String({ description: 'Where to download the file, with a credential', examples: [null] }),
    ),
    media_mime_type: Nullable(Type.String({ examples: [null] })),
    media_filename: Nullable(Type.String({ examples: [null] })),
    media_size: Nullable(Type.Integer({ description: 'In bytes, once the file has been fetched', examples: [null] })),
    context_message_id: Nullable(
      Type.String({ description: '`chat_message_id` of the message that this one replies to', examples: [null] }),
    ),
    reactions: Nullable(
      Type.Unsafe<Record<string, string>>({
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Maps the sender’s number or chat account to an emoji',
        examples: [{ '+14155550100': '👍' }],
      }),
    ),
    edited_at: Nullable({ ...Instant, description: 'When the contact last edited it', examples: [null] }),
    edit_history: Type.Array(
      Type.Object(
        { body: Type.String({ examples: ['Is it opne today?'] }), written_at: Instant },
        { title: 'MessageVersion' },
      ),
      { description: 'Previous texts, oldest first', examples: [[]] },
    ),
    edit_text_missing: Type.Boolean({
      description:
        'Whether the contact edited it but the platform did not deliver the new text: `body` is the last known text',
    }),
    revoked: Type.Boolean({
      description: 'Whether the contact deleted it. Its text is kept, but agents do not read it',
    }),
    revoked_at: Nullable({ ...Instant, description: 'When the contact deleted it', examples: [null] }),
    payload: Nullable(
      FreeObject({
        description:
          'What the message carries besides its text: the kind in `type` and, under its name, what was sent or received',
        examples: [null],
      }),
    ),
    actor_type: ActorType,
    actor_id: Nullable({ ...Id, examples: [null] }),
    feedback: Nullable(
      Type.Object(
        {
          rating: OneOf(answerRatings),
          reason: Nullable(Type.String({ examples: ['We deliver to Norway now'] })),
          member_id: Nullable({ ...Id, description: 'The member who rated it last' }),
          rated_at: Instant,
        },
        { title: 'MessageFeedback', description: 'How a member rated it; null for messages without a rating' },
      ),
    ),
    livemode: Type.Boolean(),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'Message' },
)
export type Message = Static<typeof Message>
export type MessageError = NonNullable<Message['error']>

export const MessageFilter = Type.Object({
  ...OffsetQuery,
  order: OneOf(['asc', 'desc'] as const, { default: 'asc', description: 'Sort order by time' }),
})
export type MessageFilter = Static<typeof MessageFilter>

export const MessagePage = Type.Object({ ...pageMembers, messages: Type.Array(Message) })

export const longestText = 4096
export const longestCaption = 1024

const contextMessageId = Type.String({
  minLength: 1,
  maxLength: 512,
  description: '`chat_message_id` of the message that this one replies to',
})

const savedReplyId = { ...Id, description: 'The saved reply that this message was written with, to count its use' }

const sticker = Type.Boolean({
  description:
    'Sends the file as a sticker: WebP, at most 100 KB, or 500 KB if it is animated. The message type is `image`',
})

export const NewMessage = Type.Object(
  {
    message_type: Type.Optional(
      OneOf(messageTypes, { description: '`text` by default; for a file, determined by its content' }),
    ),
    body: Type.String({
      default: '',
      maxLength: longestText,
      description: `The text, or the caption of a file (at most ${longestCaption} characters; audio has none). It may contain fields of the contact, each with a fallback: \`{{contact.first_name|there}}\``,
      examples: ['Yes, until six.'],
    }),
    media_url: Type.Optional(
      Type.String({ format: 'uri', maxLength: 2048, description: 'Where the service fetches the file to send' }),
    ),
    sticker: Type.Optional(sticker),
    interactive: Type.Optional(Interactive),
    location: Type.Optional(Place),
    contacts: Type.Optional(
      Type.Array(ContactCard, { minItems: 1, maxItems: 257, description: 'Contact cards to send; `body` stays empty' }),
    ),
    context_message_id: Type.Optional(contextMessageId),
    saved_reply_id: Type.Optional(savedReplyId),
    template_id: Type.Optional({
      ...Id,
      description: 'An approved template to send in place of a free-form message, within the 24 hours or later',
    }),
    template_variables: Type.Optional(templateVariables),
  },
  {
    title: 'NewMessage',
    examples: [
      { message_type: 'text', body: 'Yes, until six.' },
      {
        body: 'Shall we keep your appointment on Monday?',
        interactive: {
          type: 'button',
          footer: 'Reply until Sunday',
          buttons: [
            { id: 'keep', title: 'Yes, keep it' },
            { id: 'move', title: 'Move it' },
          ],
        },
      },
      { location: { latitude: 37.7749, longitude: -122.4194, name: 'Front desk', address: '1 Market Street' } },
      { contacts: [{ name: { formatted_name: 'Ada Lovelace' }, phones: [{ phone: '+14155550100', type: 'WORK' }] }] },
    ],
  },
)
export type NewMessage = Static<typeof NewMessage>

export const NewMessageForm = Type.Object(
  {
    file: Type.String({ format: 'binary', description: 'The file to send', fillIn: 'a file of yours' }),
    message_type: Type.Optional(
      OneOf(messageTypes, { description: 'Determined by the content of the file by default' }),
    ),
    body: Type.Optional(Type.String({ maxLength: longestCaption, description: 'The caption' })),
    sticker: Type.Optional(sticker),
    context_message_id: Type.Optional(contextMessageId),
    saved_reply_id: Type.Optional(savedReplyId),
  },
  { title: 'NewMessageForm', examples: [{ file: 'plan.pdf', body: 'How to find us' }] },
)

export const TestSend = Type.Object(
  {
    phone_number: Type.String({
      maxLength: 64,
      description: 'The number of a contact, such as your own',
      examples: ['+14155550100'],
      fillIn: 'the number of a contact',
    }),
    template_variables: Type.Optional(templateVariables),
    channel_id: Type.Optional({ ...Id, description: 'By default the channel that registered the template' }),
  },
  { title: 'TestSend', examples: [{ phone_number: '+14155550100', template_variables: { '1': 'Ada' } }] },
)
export type TestSend = Static<typeof TestSend>

export const MessagePath = Type.Object({ ...TicketPath.properties, message_id: Id })

export const Reaction = Type.Object(
  {
    emoji: Type.String({
      maxLength: 64,
      description: 'One emoji; an empty string removes the reaction',
      examples: ['👍'],
    }),
  },
  { title: 'Reaction' },
)

export const MediaPath = Type.Object({ media_id: Id })
