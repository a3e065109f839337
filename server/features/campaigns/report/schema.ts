import Type, { type Static } from 'typebox'
import { Id, Instant, Nullable } from '../../../platform/schemas.ts'
import type { TemplateVariables } from '../../templates/schema.ts'
import { Campaign, type DeliveryStatus } from '../schema.ts'

export const ReportOptions = Type.Object({
  timezone: Type.String({
    default: 'UTC',
    maxLength: 64,
    description: 'The time zone that the report speaks in, by its IANA name',
    examples: ['Europe/Berlin'],
  }),
})
export type ReportOptions = Static<typeof ReportOptions>

/** Deliveries that failed, were skipped or are unknown for one reason. */
export interface Failure {
  status: DeliveryStatus
  /** The platform's code, or a word of ours. */
  code: string
  /** As it was said of one of them. */
  words: string | null
  count: number
}

/** Messages that the platform accepted in one stretch of time, and what became of them since. */
export interface Stretch {
  /** By the clocks of the report's time zone: `2026-11-15T10:05:00`. */
  at: string
  sent: number
  delivered: number
  read: number
}

/** Everything that a report is made of, as of one moment. */
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
  ]).properties,
  chosen_contacts_count: Type.Integer(),
  channel_name: Type.String(),
  channel_number: Type.String(),
  template_name: Nullable(Type.String()),
  template_language: Nullable(Type.String()),
  template_category: Nullable(Type.String()),
  template_components: Type.Unsafe<Record<string, unknown>[] | null>({}),
  /** What stood in for the variables of one message that was sent, or is going to be. */
  example: Type.Unsafe<TemplateVariables | null>({}),
  first_sent_at: Nullable(Instant),
  last_sent_at: Nullable(Instant),
  step_seconds: Nullable(Type.Integer()),
  stretches: Type.Unsafe<Stretch[]>({ type: 'array' }),
  failures: Type.Unsafe<Failure[]>({ type: 'array' }),
})
export type ReportFacts = Static<typeof ReportFacts>

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
  attempts: Type.Integer(),
  code: Nullable(Type.String()),
  reason: Nullable(Type.String()),
  detail: Nullable(Type.String()),
  chat_message_id: Nullable(Type.String()),
  updated_at: Instant,
})
export type ExportedDelivery = Static<typeof ExportedDelivery>
