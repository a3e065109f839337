import Type, { type Static } from 'typebox'
import { CursorPage, CursorQuery } from '../../../platform/http/pagination.ts'
import { Count, Id, Instant, Nullable, OneOf } from '../../../platform/schemas.ts'
import type { TemplateVariables } from '../../templates/schema.ts'

export const deliveryStatuses = [
  'pending',
  'sending',
  'sent',
  'delivered',
  'read',
  'failed',
  'skipped',
  'unknown',
] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export const Delivery = Type.Object(
  {
    id: Id,
    organization_id: Id,
    campaign_id: Id,
    contact_id: Nullable({ ...Id, description: 'Null if the contact has been deleted, or for a duplicate' }),
    contact_name: Nullable(
      Type.String({ description: 'Current name; null if the contact has been deleted', examples: ['Ada'] }),
    ),
    phone_number: Type.String({
      description: 'Recipient’s number; empty for contacts known only by their chat account',
      examples: ['+14155550100'],
    }),
    whatsapp_user_id: Nullable(Type.String({ examples: [null] })),
    variables: Type.Unsafe<TemplateVariables>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Values of the template’s variables',
      examples: [{ '1': 'Ada' }],
    }),
    status: OneOf(deliveryStatuses),
    code: Nullable(
      Type.String({ description: 'The platform’s code, or one of our own if it gave none', examples: [null] }),
    ),
    reason: Nullable(
      Type.String({
        description:
          'Why it failed or was skipped (`opted_out`, `no_address`, `blocked`, `missing_variable`, `merged`, or the platform’s message); while pending, why the last attempt did not succeed',
        examples: [null],
      }),
    ),
    detail: Nullable(Type.String({ description: 'Details of the reason', examples: [null] })),
    explanation: Nullable(Type.String({ description: 'Explanation of the code or reason', examples: [null] })),
    what_to_do: Nullable(
      Type.String({
        description: 'Recommended action after a failed, skipped or unknown delivery',
        examples: [null],
      }),
    ),
    attempts: Count('Number of requests to the platform'),
    next_attempt_at: Nullable({ ...Instant, description: 'Earliest time of the next attempt' }),
    time_zone: Nullable(
      Type.String({
        description: 'Time zone that `sending_times` of the campaign refer to; null if it has none',
        examples: [null],
      }),
    ),
    chat_message_id: Nullable(Type.String({ description: 'Assigned by the messaging platform', examples: [null] })),
    message_id: Nullable({ ...Id, description: 'The message in the contact’s timeline' }),
    duplicate_of: Nullable({
      ...Id,
      description: 'The delivery that the contact keeps, if two recipients of the campaign were merged',
    }),
    sent_at: Nullable(Instant),
    delivered_at: Nullable(Instant),
    read_at: Nullable(Instant),
    replied_at: Nullable({ ...Instant, description: 'When the contact first replied' }),
    tapped_buttons: Type.Array(Type.String(), {
      description: 'Labels of the buttons that the contact tapped, each once',
      examples: [[]],
    }),
    livemode: Type.Boolean(),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'Delivery' },
)
export type Delivery = Static<typeof Delivery>

export const DeliveryFilter = Type.Object({ ...CursorQuery, status: Type.Optional(OneOf(deliveryStatuses)) })
export type DeliveryFilter = Static<typeof DeliveryFilter>
export const DeliveryPage = CursorPage(Delivery)
