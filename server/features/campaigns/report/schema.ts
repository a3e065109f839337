import Type, { type Static } from 'typebox'
import { Count, FreeObject, Id, Instant, Nullable, OneOf } from '../../../platform/schemas.ts'
import type { TemplateVariables } from '../../templates/schema.ts'
import type { DeliveryStatus } from '../deliveries/schema.ts'
import type { LinkClicks } from '../link-clicks/queries.ts'
import { Campaign } from '../schema.ts'

export const ReportOptions = Type.Object({
  timezone: Type.String({
    default: 'UTC',
    maxLength: 64,
    description: 'Time zone of the report, as an IANA name',
    examples: ['Europe/Berlin'],
  }),
})
export type ReportOptions = Static<typeof ReportOptions>

/** Deliveries that failed, were skipped or are unknown for one reason. */
export interface Failure {
  status: 'failed' | 'skipped' | 'unknown'
  /** The platform's code, or one of ours. */
  code: string
  /** The message of one of them. */
  words: string | null
  count: number
}

/** Messages that the platform accepted in one interval, and their outcome since. */
interface Stretch {
  /** In the report's time zone: `2026-11-15T10:05:00`. */
  at: string
  sent: number
  delivered: number
  read: number
}

/** Recipients who tapped a button of the message. */
interface TappedButton {
  label: string
  count: number
}

/** Everything that a report is made of, from one snapshot. */
export const ReportFacts = Type.Object({
  as_of: Instant,
  organization_name: Type.String(),
  ...Type.Pick(Campaign, [
    'id',
    'name',
    'status',
    'livemode',
    'audience_type',
    'audience_tags',
    'template_variables',
    'scheduled_at',
    'sending_times',
    'started_at',
    'completed_at',
    'frozen_at',
    'created_at',
    'pause_reason',
    'pause_detail',
    'failure_reason',
    'total_contacts_count',
    'sent_count',
    'delivered_count',
    'read_count',
    'failed_count',
    'skipped_count',
    'unknown_count',
    'pending_count',
    'sending_count',
    'replied_count',
  ]).properties,
  chosen_contacts_count: Type.Integer(),
  channel_name: Type.String(),
  channel_number: Type.String(),
  template_name: Nullable(Type.String()),
  template_language: Nullable(Type.String()),
  template_category: Nullable(Type.String()),
  template_components: Type.Unsafe<Record<string, unknown>[] | null>({}),
  /** The variable values of one message that was sent or will be. */
  example: Type.Unsafe<TemplateVariables | null>({}),
  first_sent_at: Nullable(Instant),
  last_sent_at: Nullable(Instant),
  step_seconds: Nullable(Type.Integer()),
  stretches: Type.Unsafe<Stretch[]>({ type: 'array' }),
  failures: Type.Unsafe<Failure[]>({ type: 'array' }),
  buttons: Type.Unsafe<TappedButton[]>({ type: 'array' }),
  link_clicks: Type.Unsafe<LinkClicks>({ type: 'object' }),
  link_clicks_at: Nullable(Instant),
  link_clicks_error: Nullable(Type.String()),
})
export type ReportFacts = Static<typeof ReportFacts>

/** What the PDF draws and the console shows besides the counts. */
export const CampaignReport = Type.Object(
  {
    as_of: Instant,
    template_name: Nullable(
      Type.String({ description: 'Set even if the template has been deleted', examples: ['news'] }),
    ),
    template_language: Nullable(Type.String({ examples: ['en_US'] })),
    template_category: Nullable(Type.String({ examples: ['MARKETING'] })),
    template_components: Nullable(
      Type.Array(FreeObject(), {
        description: 'Components as they were when sending started',
        examples: [[{ type: 'BODY', text: 'Hello {{1}}, we are open today.' }]],
      }),
    ),
    example: Type.Unsafe<TemplateVariables | null>({
      type: ['object', 'null'],
      additionalProperties: { type: 'string' },
      description: 'Values of the variables in one message',
      examples: [{ '1': 'Ada' }],
    }),
    first_sent_at: Nullable(Instant),
    last_sent_at: Nullable(Instant),
    step_seconds: Nullable(Type.Integer({ description: 'Length of each interval in seconds', examples: [60] })),
    stretches: Type.Array(
      Type.Object(
        {
          at: Type.String({
            description: 'Start of the interval in the requested time zone',
            examples: ['2026-11-15T10:05:00'],
          }),
          sent: Count('Messages that the platform accepted in this interval'),
          delivered: Count('How many of them have been delivered'),
          read: Count('How many of them have been read'),
        },
        { title: 'CampaignStretch' },
      ),
      { description: 'Sends over time; empty intervals are omitted' },
    ),
    failures: Type.Array(
      Type.Object(
        {
          status: OneOf(['failed', 'skipped', 'unknown'] as const),
          code: Type.String({ description: 'The platform’s code, or one of our own', examples: ['131026'] }),
          words: Nullable(
            Type.String({ description: 'The platform’s message for one of these deliveries', examples: [null] }),
          ),
          count: Count('Number of deliveries'),
          explanation: Type.String({ examples: ['The number cannot get the message'] }),
          what_to_do: Type.String({ examples: ['Check these numbers'] }),
        },
        { title: 'CampaignFailure' },
      ),
      { description: 'Failures by reason, most frequent first; at most 40 reasons' },
    ),
    reply_rate: Nullable(
      Type.Number({ description: '`replied_count` as a share of `sent_count`, from 0 to 1', examples: [0.08] }),
    ),
    buttons: Type.Array(
      Type.Object(
        { label: Type.String({ examples: ['Remind me later'] }), count: Count('Recipients who tapped it') },
        { title: 'CampaignButton' },
      ),
      {
        description: 'Reply buttons that recipients tapped, most frequent first',
        examples: [[]],
      },
    ),
    links: Type.Array(
      Type.Object(
        {
          label: Type.String({ examples: ['Shop now'] }),
          clicks: Count('Clicks'),
          people: Count('People who clicked, each counted once a day; 0 if the platform does not report them'),
        },
        { title: 'CampaignLink' },
      ),
      {
        description:
          'Clicks on the links of the template since the campaign started, if the platform reports them: `links_at` says when it was last asked, `links_error` why it reported nothing. It counts by template and day, so clicks on other messages of the template are included',
        examples: [[]],
      },
    ),
    links_at: Nullable(Instant),
    links_error: Nullable(Type.String({ examples: [null] })),
  },
  { title: 'CampaignReport' },
)
export type CampaignReport = Static<typeof CampaignReport>

/** A delivery as a row of the CSV. */
export const ExportedDelivery = Type.Object({
  id: Id,
  contact_id: Nullable(Id),
  contact_name: Nullable(Type.String()),
  phone_number: Type.String(),
  whatsapp_user_id: Nullable(Type.String()),
  status: Type.Unsafe<DeliveryStatus>({ type: 'string' }),
  sent_at: Nullable(Instant),
  delivered_at: Nullable(Instant),
  read_at: Nullable(Instant),
  replied_at: Nullable(Instant),
  tapped_buttons: Type.Array(Type.String()),
  time_zone: Nullable(Type.String()),
  attempts: Type.Integer(),
  code: Nullable(Type.String()),
  reason: Nullable(Type.String()),
  detail: Nullable(Type.String()),
  chat_message_id: Nullable(Type.String()),
  updated_at: Instant,
})
export type ExportedDelivery = Static<typeof ExportedDelivery>
