import Type, { type Static } from 'typebox'
import { CursorPage, CursorQuery } from '../../platform/http/pagination.ts'
import { Count, exampleFuture, exampleId, Id, Instant, Nullable, OneOf } from '../../platform/schemas.ts'
import { templateVariables } from '../templates/schema.ts'

const campaignStatuses = ['scheduled', 'sending', 'paused', 'completed', 'cancelled', 'failed'] as const
const CampaignStatus = OneOf(campaignStatuses)
const audienceTypes = ['all', 'tags', 'manual'] as const

const pauseReasons = [
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

const failureReasons = ['no_template', 'no_channel'] as const
export type FailureReason = (typeof failureReasons)[number]

/** As many ids as fit into the contract's body limit. */
const mostContactIds = 100_000

const name = Type.String({ maxLength: 255, pattern: '\\S', examples: ['Spring news'] })
const channelId = { ...Id, description: 'The channel that sends the messages' }
const templateId = { ...Id, description: 'An approved template of the channel’s business account' }
const audienceType = {
  description:
    '`all` contacts, contacts with any of the `tags`, or only the contacts in `audience_contact_ids` (`manual`)',
}
const tags = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  maxItems: 1000,
  description: 'With `tags`: contacts that have any of these',
  examples: [['newsletter']],
})
const contactIds = Type.Array(Id, {
  maxItems: mostContactIds,
  description: 'With `manual`: the contacts',
  examples: [['01976f3e-6f0a-7c44-9a51-0d3f5a1b2c3d']],
})
const scheduledAt = { ...Instant, description: 'When to send, to the second; a past time means now' }

const timeOfDay = (description: string, example: string) =>
  Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', description, examples: [example] })

const sendingTimesDescription =
  'Times in the recipient’s time zone: that of the contact (`time_zone`), else that of the country of the phone number if the country has only one, else that of the organization'

const SendingTimes = Type.Object(
  {
    local_time: Nullable(
      timeOfDay('Each recipient gets the message when clocks in their time zone next show this time', '10:00'),
    ),
    quiet_hours: Nullable(
      Type.Object(
        {
          from: timeOfDay('First minute of the quiet hours', '21:00'),
          until: timeOfDay('First minute after them, on the next day if it is earlier than `from`', '08:00'),
        },
        { title: 'QuietHours', description: 'Nothing is sent to a recipient while it is this time in their time zone' },
      ),
    ),
    schedule_id: Type.Optional(
      Nullable({
        ...Id,
        description: 'Business hours: nothing is sent outside them, whatever the recipient’s time zone',
        examples: [null],
      }),
    ),
  },
  {
    title: 'SendingTimes',
    description: sendingTimesDescription,
  },
)
export type SendingTimes = Static<typeof SendingTimes>

const NewSendingTimes = Type.Partial(SendingTimes, {
  title: 'NewSendingTimes',
  description: sendingTimesDescription,
  examples: [{ local_time: '10:00', quiet_hours: { from: '21:00', until: '08:00' } }],
})

export const Campaign = Type.Object(
  {
    id: Id,
    organization_id: Id,
    name: Type.String({ examples: ['Spring news'] }),
    status: CampaignStatus,
    chat_phone_number_id: channelId,
    message_template_id: Nullable({ ...Id, description: 'Null also if the template has been deleted' }),
    template_variables: Nullable(templateVariables),
    audience_type: OneOf(audienceTypes),
    audience_tags: Nullable(Type.Array(Type.String(), { examples: [null] })),
    audience_contact_ids: Nullable(
      Type.Array(Type.String(), {
        description: 'Null in lists and events if there are more than 1,000',
        examples: [null],
      }),
    ),
    scheduled_at: Nullable(Instant),
    sending_times: Nullable(SendingTimes),
    total_contacts_count: Count('Recipients resolved so far; complete once `frozen_at` is set'),
    sent_count: Count('Accepted by the messaging platform'),
    delivered_count: Count('Delivered, including those that were read'),
    read_count: Count('Read'),
    failed_count: Count('Failed, including those that the platform had accepted first'),
    skipped_count: Count('Not sent: the contact has opted out, is blocked or has no address'),
    unknown_count: Count('May or may not have been sent; a receipt can still settle it'),
    pending_count: Count('Not sent yet, or never sent if the campaign was canceled'),
    sending_count: Count('In flight to the platform'),
    replied_count: Count(
      'Recipients who replied: who quoted the message or tapped a button, or wrote within seven days while it was the last message sent to them',
    ),
    pause_reason: Nullable(OneOf(pauseReasons, { description: 'Why it is paused', examples: [null] })),
    pause_detail: Nullable(Type.String({ description: 'The reason in words', examples: [null] })),
    failure_reason: Nullable(OneOf(failureReasons, { description: 'Why it failed', examples: [null] })),
    waiting_until: Nullable({
      ...Instant,
      description: 'While sending: the time until which the platform asked the channel to wait',
    }),
    waiting_reason: Nullable(
      Type.String({
        description: 'Why nothing is being sent at the moment: the platform’s message and code',
        examples: [null],
      }),
    ),
    started_at: Nullable(Instant),
    frozen_at: Nullable({ ...Instant, description: 'When every recipient had a delivery' }),
    completed_at: Nullable({
      ...Instant,
      description: 'When nothing was left to send; receipts may still change the counts',
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
    sending_times: Type.Optional(Nullable(NewSendingTimes)),
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
        sending_times: { local_time: '10:00', quiet_hours: { from: '21:00', until: '08:00' } },
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
    scheduled_at: Type.Optional(Nullable({ ...scheduledAt, description: 'Null or a past time means now' })),
    sending_times: Type.Optional(Nullable(NewSendingTimes)),
    template_variables: Type.Optional(Nullable(templateVariables)),
  },
  { title: 'CampaignChanges', examples: [{ name: 'Spring news', scheduled_at: exampleFuture }] },
)
export type CampaignChanges = Static<typeof CampaignChanges>

export const CampaignFilter = Type.Object({
  ...CursorQuery,
  status: Type.Optional(CampaignStatus),
  search: Type.Optional(Type.String({ maxLength: 255, description: 'Part of the name' })),
})
export type CampaignFilter = Static<typeof CampaignFilter>
export const CampaignPage = CursorPage(Campaign)
export const CampaignPath = Type.Object({ campaign_id: Id })

export const Retry = Type.Object(
  {
    scope: OneOf(['failed', 'unknown'] as const, {
      description: 'Which deliveries to retry. Deliveries with the status `unknown` may reach a contact twice',
    }),
  },
  { title: 'CampaignRetry' },
)
export const RetriedCampaign = Type.Object(
  { ...Campaign.properties, retried_count: Count('Number of deliveries that are retried') },
  { title: 'RetriedCampaign' },
)
