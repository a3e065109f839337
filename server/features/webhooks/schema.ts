import Type, { type Static } from 'typebox'
import { CursorPage, CursorQuery } from '../../platform/http/pagination.ts'
import { Id, Instant, Nullable, OneOf } from '../../platform/schemas.ts'

const url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'Where events are posted, as `https://…`; must not be in this service’s own network',
  examples: ['https://example.com/hooks/frontdesk'],
})
const events = Type.Array(Type.String({ maxLength: 100, pattern: '^(\\*|[a-z_]+\\.(\\*|[a-z_]+))$' }), {
  minItems: 1,
  maxItems: 100,
  description:
    'Event types to receive: `contact.created`, `call.*` for a group, `*` for all. Only types that the credential may read: a pattern that covers others is stored as the readable types',
  examples: [['message.received', 'call.*']],
})
const description = Nullable(
  Type.String({ maxLength: 1000, description: 'Your note about this webhook', examples: ['CRM sync'] }),
)
const status = OneOf(['enabled', 'disabled'] as const, { description: 'A disabled webhook receives nothing' })

export const Webhook = Type.Object(
  {
    id: Id,
    organization_id: Id,
    url,
    events,
    event_types: Type.Array(Type.String(), {
      description:
        'The types it currently receives: those in `events` that the credential which last set its events or URL may read',
      examples: [['message.received', 'call.started', 'call.ended', 'call.analyzed', 'call.deleted']],
    }),
    description,
    status,
    disabled_reason: Nullable(
      OneOf(['requested', 'gone', 'failing'] as const, {
        description: 'Set by a request, after the endpoint returned 410, or after five days of failures',
        examples: [null],
      }),
    ),
    disabled_at: Nullable(Instant),
    failing_since: Nullable({ ...Instant, description: 'Every attempt since then has failed' }),
    former_secret_expires_at: Nullable({
      ...Instant,
      description: 'Until then deliveries are also signed with the previous secret',
    }),
    livemode: Type.Boolean(),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'Webhook' },
)
export type Webhook = Static<typeof Webhook>

export const WebhookWithSecret = Type.Object(
  {
    ...Webhook.properties,
    secret: Nullable(
      Type.String({
        description: 'Signs the deliveries. Shown only once',
        examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
      }),
    ),
  },
  { title: 'WebhookWithSecret' },
)
export type WebhookWithSecret = Static<typeof WebhookWithSecret>

export const NewWebhook = Type.Object({ url, events, description: Type.Optional(description) }, { title: 'NewWebhook' })
export type NewWebhook = Static<typeof NewWebhook>

export const WebhookChanges = Type.Object(
  {
    url: Type.Optional(url),
    events: Type.Optional(events),
    description: Type.Optional(description),
    status: Type.Optional(status),
  },
  { title: 'WebhookChanges' },
)
export type WebhookChanges = Static<typeof WebhookChanges>

export const SecretRotation = Type.Object(
  {
    overlap_seconds: Type.Integer({
      minimum: 0,
      maximum: 30 * 24 * 3600,
      default: 24 * 3600,
      description: 'How long deliveries also have a signature with the old secret; use 0 if it has leaked',
    }),
  },
  { title: 'SecretRotation', default: {} },
)
export type SecretRotation = Static<typeof SecretRotation>

export const Recovery = Type.Object(
  {
    since: Type.String({
      format: 'date-time',
      description: 'Sends events again that happened from then on and did not reach the endpoint',
      examples: ['2026-03-01T09:00:00Z'],
    }),
  },
  { title: 'Recovery' },
)
export type Recovery = Static<typeof Recovery>

export const RecoveryBegun = Type.Object(
  {
    recovered: Type.Integer({ description: 'Deliveries queued by this request', examples: [12] }),
    has_more: Type.Boolean({ description: 'Whether there are more; they follow automatically', examples: [false] }),
  },
  { title: 'RecoveryBegun' },
)
export type RecoveryBegun = Static<typeof RecoveryBegun>

/** The outcome of one attempt. */
const outcome = {
  attempted_at: Instant,
  duration_ms: Type.Integer({ examples: [87] }),
  response_status: Nullable(Type.Integer({ examples: [200] })),
  error: Nullable(Type.String({ description: 'Why there was no valid response', examples: [null] })),
}
export const Attempt = Type.Object(outcome, { title: 'WebhookAttempt' })
export type Attempt = Static<typeof Attempt>

const deliveryStatuses = ['pending', 'succeeded', 'failed'] as const
export const WebhookDelivery = Type.Object(
  {
    id: { ...Id, description: 'The event’s id, sent with every attempt as `webhook-id`' },
    webhook_id: Id,
    organization_id: Id,
    event_type: Type.String({ examples: ['contact.created'] }),
    status: OneOf(deliveryStatuses, { description: 'Pending until an attempt succeeds or no retries are left' }),
    attempts: Type.Integer({ description: 'Number of attempts so far', examples: [1] }),
    next_attempt_at: Nullable(Instant),
    request: Nullable(
      Type.Object(
        {
          url: Type.String(),
          headers: Type.Record(Type.String(), Type.String(), { description: 'All headers except the signature' }),
          body: Nullable(Type.String({ description: 'The body as sent' })),
        },
        { title: 'WebhookRequest', description: 'The last attempt; null before the first' },
      ),
    ),
    response: Nullable(
      Type.Object(
        { status: Type.Integer(), body: Type.String({ description: 'The first 2,000 characters' }) },
        { title: 'WebhookResponse', description: 'Response to the last attempt; null if there was none' },
      ),
    ),
    error: outcome.error,
    attempted_at: Nullable(Instant),
    duration_ms: Nullable(outcome.duration_ms),
    history: Type.Array(Attempt, { description: 'Attempts before the last one, oldest first' }),
    livemode: Type.Boolean(),
    created_at: Instant,
  },
  { title: 'WebhookDelivery' },
)
export type WebhookDelivery = Static<typeof WebhookDelivery>

export const WebhookFilter = Type.Object({ ...CursorQuery })
export type WebhookFilter = Static<typeof WebhookFilter>
export const WebhookPage = CursorPage(Webhook)

export const DeliveryFilter = Type.Object({
  ...CursorQuery,
  status: Type.Optional(OneOf(deliveryStatuses)),
  event_type: Type.Optional(Type.String({ maxLength: 100, description: 'One type, such as `contact.created`' })),
})
export type DeliveryFilter = Static<typeof DeliveryFilter>
export const DeliveryPage = CursorPage(WebhookDelivery)

export const WebhookPath = Type.Object({ webhook_id: Id })
export const DeliveryPath = Type.Object({ webhook_id: Id, delivery_id: Id })
