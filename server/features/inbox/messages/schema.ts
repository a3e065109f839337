import Type, { type Static } from 'typebox'
import { OffsetQuery } from '../../../platform/http/pagination.ts'
import { FreeObject, Id, Instant, Nullable, OneOf } from '../../../platform/schemas.ts'
import { ActorType, MessageDirection, MessageStatus, MessageType, pageMembers, TicketPath } from '../schema.ts'

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
          'Data of the message besides its text: the kind in `type`, and the data that was sent or received under the name of that kind',
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
