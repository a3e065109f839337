import Type, { type Static } from 'typebox'
import { CursorPage, CursorQuery } from '../../platform/http/pagination.ts'
import { exampleFuture, exampleId, Id, Instant, Nullable, OneOf } from '../../platform/schemas.ts'
import { type TemplateVariables, templateVariables } from '../templates/schema.ts'

export const campaignStatuses = ['scheduled', 'sending', 'paused', 'completed', 'cancelled', 'failed'] as const
const CampaignStatus = OneOf(campaignStatuses)
const audienceTypes = ['all', 'tags', 'manual'] as const

export const pauseReasons = [
  'user',
  'failure_rate',
  'token_expired',
  'account_blocked',
  'template_paused',
  'template_unusable',
  'template_deleted',
  'channel_deleted',
  'channel_not_ready',
] as const
export type PauseReason = (typeof pauseReasons)[number]

export const failureReasons = ['no_template', 'no_channel'] as const
export type FailureReason = (typeof failureReasons)[number]

/** As many ids as fit into the contract's body limit. */
export const mostContactIds = 100_000

const name = Type.String({ maxLength: 255, pattern: '\\S', examples: ['Spring news'] })
const channelId = { ...Id, description: 'The channel that sends' }
const templateId = { ...Id, description: 'An approved template of the channel’s business account' }
const audienceType = {
  description: '`all` contacts, those with any of the `tags`, or only those named (`manual`) in `audience_contact_ids`',
}
const tags = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  maxItems: 1000,
  description: 'Used with `tags`: contacts that have any of these',
  examples: [['newsletter']],
})
const contactIds = Type.Array(Id, {
  maxItems: mostContactIds,
  description: 'Used with `manual`',
  examples: [['01976f3e-6f0a-7c44-9a51-0d3f5a1b2c3d']],
})
const scheduledAt = { ...Instant, description: 'When to send, to the second; a past time means at once' }

const count = (description: string) => Type.Integer({ description, examples: [0] })

export const Campaign = Type.Object(
  {
    id: Id,
    organization_id: Id,
    name: Type.String({ examples: ['Spring news'] }),
    status: CampaignStatus,
    chat_phone_number_id: channelId,
    message_template_id: Nullable({ ...Id, description: 'Null also when the template was deleted since' }),
    template_variables: Nullable(templateVariables),
    audience_type: OneOf(audienceTypes),
    audience_tags: Nullable(Type.Array(Type.String(), { examples: [null] })),
    audience_contact_ids: Nullable(
      Type.Array(Type.String(), {
        description: 'In lists and events null where there are more than 1,000',
        examples: [null],
      }),
    ),
    scheduled_at: Nullable(Instant),
    total_contacts_count: count('Recipients resolved so far; all of them from `frozen_at` on'),
    sent_count: count('Accepted by the messaging platform'),
    delivered_count: count('Delivered, those included that were read'),
    read_count: count('Read'),
    failed_count: count('Failed, also after the platform had accepted them'),
    skipped_count: count('Not to be sent: the contact has opted out, or has no address'),
    unknown_count: count('Nobody can say whether they were sent; a status of the platform may still tell'),
    pending_count: count('Still to be sent, or never sent where the campaign was cancelled'),
    sending_count: count('On their way to the platform'),
    pause_reason: Nullable(OneOf(pauseReasons, { description: 'Why it is paused', examples: [null] })),
    pause_detail: Nullable(Type.String({ description: 'The same in words', examples: [null] })),
    failure_reason: Nullable(OneOf(failureReasons, { description: 'Why it failed', examples: [null] })),
    waiting_until: Nullable({
      ...Instant,
      description: 'While it is sending: the platform asked the channel to wait until then',
    }),
    waiting_reason: Nullable(
      Type.String({
        description: 'Why nothing is sent at the moment: what the platform said, with its code',
        examples: [null],
      }),
    ),
    started_at: Nullable(Instant),
    frozen_at: Nullable({ ...Instant, description: 'When every recipient had its delivery' }),
    completed_at: Nullable({
      ...Instant,
      description: 'When nothing was left to send; receipts may still move the counts',
    }),
    livemode: Type.Boolean(),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'Campaign' },
)
export type Campaign = Static<typeof Campaign>

export const NewCampaign = Type.Object(
  {
    name,
    chat_phone_number_id: channelId,
    message_template_id: Type.Optional(templateId),
    audience_type: OneOf(audienceTypes, { default: 'all', ...audienceType }),
    audience_tags: Type.Optional(tags),
    audience_contact_ids: Type.Optional(contactIds),
    scheduled_at: Type.Optional(scheduledAt),
    template_variables: Type.Optional(templateVariables),
  },
  {
    title: 'NewCampaign',
    // Safe to send as is: it is scheduled for later, and only contacts with the tag are in its audience.
    examples: [
      {
        name: 'Spring news',
        chat_phone_number_id: exampleId('chat_phone_number_id'),
        message_template_id: exampleId('message_template_id'),
        audience_type: 'tags',
        audience_tags: ['newsletter'],
        scheduled_at: exampleFuture,
        template_variables: { 1: '{{contact.name}}' },
      },
    ],
  },
)
export type NewCampaign = Static<typeof NewCampaign>

export const CampaignChanges = Type.Object(
  {
    name: Type.Optional(name),
    chat_phone_number_id: Type.Optional(channelId),
    message_template_id: Type.Optional(Nullable(templateId)),
    audience_type: Type.Optional(OneOf(audienceTypes, audienceType)),
    audience_tags: Type.Optional(Nullable(tags)),
    audience_contact_ids: Type.Optional(Nullable(contactIds)),
    scheduled_at: Type.Optional(Nullable({ ...scheduledAt, description: 'Null, as a past time, means at once' })),
    template_variables: Type.Optional(Nullable(templateVariables)),
  },
  { title: 'CampaignChanges', examples: [{ name: 'Spring news', scheduled_at: exampleFuture }] },
)
export type CampaignChanges = Static<typeof CampaignChanges>

export const CampaignFilter = Type.Object({
  ...CursorQuery,
  status: Type.Optional(CampaignStatus),
  search: Type.Optional(Type.String({ maxLength: 255, description: 'Part of a name' })),
})
export type CampaignFilter = Static<typeof CampaignFilter>
export const CampaignPage = CursorPage(Campaign)
export const CampaignPath = Type.Object({ campaign_id: Id })

export const Retry = Type.Object(
  {
    scope: OneOf(['failed', 'unknown'] as const, {
      description:
        'Which deliveries to try again. Those of which nobody knows whether they were sent may reach somebody twice',
    }),
  },
  { title: 'CampaignRetry' },
)
export const RetriedCampaign = Type.Object(
  { ...Campaign.properties, retried_count: count('Deliveries that are tried again') },
  { title: 'RetriedCampaign' },
)

export const Preflight = Type.Object(
  {
    total_contacts_count: count('Contacts in the audience'),
    recipients: count('Those of them who would be sent the message'),
    skipped: Type.Object(
      { opted_out: count('They want no marketing'), no_address: count('They have no number and no chat account') },
      { title: 'PreflightSkipped' },
    ),
    missing_variable: count('Those of them for whom a variable cannot be filled: their deliveries would fail'),
    unresolved_variables: Type.Array(
      Type.Object(
        {
          variable: Type.String({ examples: ['2'] }),
          contacts: count('How many lack it'),
        },
        { title: 'UnresolvedVariable' },
      ),
      { examples: [[{ variable: '2', contacts: 3 }]] },
    ),
    messages_per_second: Type.Integer({ description: 'The channel’s rate', examples: [80] }),
    minutes: Type.Number({ description: 'How long sending would take at that rate', examples: [1.3] }),
    warnings: Type.Array(Type.String(), {
      description: 'What would keep it from being sent',
      examples: [[]],
    }),
  },
  { title: 'CampaignPreflight' },
)
export type Preflight = Static<typeof Preflight>

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
    contact_id: Nullable({ ...Id, description: 'Null when the contact was deleted since' }),
    contact_name: Nullable(
      Type.String({ description: 'As it is today; null when the contact was deleted since', examples: ['Ada'] }),
    ),
    phone_number: Type.String({
      description: 'Where it goes; empty for people who are known by their chat account only',
      examples: ['+14155550100'],
    }),
    whatsapp_user_id: Nullable(Type.String({ examples: [null] })),
    variables: Type.Unsafe<TemplateVariables>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'What stood in for the template’s variables',
      examples: [{ '1': 'Ada' }],
    }),
    status: OneOf(deliveryStatuses),
    code: Nullable(
      Type.String({ description: 'The platform’s code, or a word of ours where it gave none', examples: [null] }),
    ),
    reason: Nullable(
      Type.String({
        description:
          'Why it failed or was skipped (`opted_out`, `no_address`, `missing_variable`, or the platform’s words); while it is pending, why the last attempt did not succeed',
        examples: [null],
      }),
    ),
    detail: Nullable(Type.String({ description: 'More about the reason', examples: [null] })),
    explanation: Nullable(
      Type.String({ description: 'What the code or reason means, in plain words', examples: [null] }),
    ),
    what_to_do: Nullable(
      Type.String({
        description: 'What to do about it, once it has failed, was skipped or is unknown',
        examples: [null],
      }),
    ),
    attempts: count('How often the platform was asked'),
    next_attempt_at: Nullable({ ...Instant, description: 'Not before then is it tried again' }),
    chat_message_id: Nullable(Type.String({ description: 'Given by the messaging platform', examples: [null] })),
    message_id: Nullable({ ...Id, description: 'The message in the contact’s timeline' }),
    sent_at: Nullable(Instant),
    delivered_at: Nullable(Instant),
    read_at: Nullable(Instant),
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
