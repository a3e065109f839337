import Type, { type Static } from 'typebox'
import { CursorPage, CursorQuery } from '../../../platform/http/pagination.ts'
import { exampleFuture, FreeObject, Id, IdOf, Instant, Nullable, OneOf } from '../../../platform/schemas.ts'
import { NewMessage } from '../sending/schema.ts'

const statuses = ['scheduled', 'sent', 'cancelled', 'failed'] as const

export const ScheduledMessage = Type.Object(
  {
    id: Id,
    organization_id: Id,
    inbox_id: { ...Id, description: 'Ticket of the message' },
    contact_id: Id,
    message: FreeObject({
      description: 'What is sent, as in `POST /inbox/messages/{inbox_id}`',
      examples: [{ body: 'Good morning, your order is ready.' }],
    }),
    send_at: { ...Instant, examples: [exampleFuture] },
    status: OneOf(statuses, { examples: ['scheduled'] }),
    error: Nullable(
      Type.Object(
        {
          code: Type.String({ examples: ['409'] }),
          message: Type.String({ examples: ['This contact has not written within the last 24 hours'] }),
        },
        { title: 'ScheduledMessageError', description: 'Why it could not be sent' },
      ),
    ),
    message_id: Nullable({ ...Id, description: 'The message, once it is sent', examples: [null] }),
    actor_type: OneOf(['user', 'ai', 'system'] as const),
    actor_id: Nullable(Id),
    livemode: Type.Boolean(),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'ScheduledMessage' },
)
export type ScheduledMessage = Static<typeof ScheduledMessage>

const sendAt = Type.String({
  format: 'date-time',
  description: 'When to send it',
  examples: [exampleFuture],
})

export const NewScheduledMessage = Type.Object(
  {
    ...NewMessage.properties,
    send_at: Type.Optional(sendAt),
    delay_seconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 60,
        description: 'Instead of `send_at`: sends it after so many seconds, in which it can be cancelled',
      }),
    ),
  },
  {
    title: 'NewScheduledMessage',
    examples: [{ body: 'Good morning, your order is ready.', send_at: exampleFuture }],
  },
)
export type NewScheduledMessage = Static<typeof NewScheduledMessage>

export const ScheduledMessageChanges = Type.Object(
  {
    body: Type.Optional(Type.String({ maxLength: 4096, examples: ['Your order is ready.'] })),
    send_at: Type.Optional(sendAt),
  },
  { title: 'ScheduledMessageChanges', examples: [{ send_at: exampleFuture }] },
)
export type ScheduledMessageChanges = Static<typeof ScheduledMessageChanges>

export const ScheduledMessagePath = Type.Object({ scheduled_message_id: IdOf('scheduled message') })

export const ScheduledMessageFilter = Type.Object({ ...CursorQuery, status: Type.Optional(OneOf(statuses)) })
export type ScheduledMessageFilter = Static<typeof ScheduledMessageFilter>

export const ScheduledMessagePage = CursorPage(ScheduledMessage)
