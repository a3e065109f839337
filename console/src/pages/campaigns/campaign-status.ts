import type { api as types } from '@frontdesk/sdk'
import type { Tone } from '../../ui/status.tsx'

export type Campaign = types.Campaign
type PauseReason = NonNullable<Campaign['pause_reason']>

export const campaignStates: Record<Campaign['status'], { tone: Tone; word: string }> = {
  scheduled: { tone: 'waiting', word: 'Scheduled' },
  sending: { tone: 'busy', word: 'Sending' },
  paused: { tone: 'warning', word: 'Paused' },
  completed: { tone: 'good', word: 'Completed' },
  cancelled: { tone: 'waiting', word: 'Cancelled' },
  failed: { tone: 'bad', word: 'Failed' },
}

export const deliveryStates: Record<types.Delivery['status'], { tone: Tone; word: string }> = {
  pending: { tone: 'waiting', word: 'Waiting' },
  sending: { tone: 'busy', word: 'Sending' },
  sent: { tone: 'busy', word: 'Sent' },
  delivered: { tone: 'good', word: 'Delivered' },
  read: { tone: 'good', word: 'Read' },
  failed: { tone: 'bad', word: 'Failed' },
  skipped: { tone: 'waiting', word: 'Skipped' },
  unknown: { tone: 'warning', word: 'Unknown' },
}

const pauses: Record<PauseReason, string> = {
  user: 'Paused. Resume to keep sending.',
  failure_rate:
    'Paused because at least half of 100 messages in a row failed. Check the reasons below before you resume.',
  token_expired: 'WhatsApp no longer accepts the channel’s access token. Save a new one in Settings, then resume.',
  account_blocked: 'WhatsApp has blocked the business account or number. Resolve this with WhatsApp, then resume.',
  template_paused: 'WhatsApp has paused the template. Wait until it is active again, then resume.',
  template_unusable: 'WhatsApp rejects the template. Fix it, or cancel this campaign and send another template.',
  template_deleted: 'The template was deleted. Cancel the campaign; sent messages are not affected.',
  channel_deleted: 'The channel was deleted. Cancel the campaign; sent messages are not affected.',
  channel_not_ready: 'The channel is not connected to WhatsApp. Connect it in Settings, then resume.',
}

const failures: Record<NonNullable<Campaign['failure_reason']>, string> = {
  no_template: 'The campaign had no template when sending started. Duplicate it, choose a template and send the copy.',
  no_channel:
    'The channel no longer existed when sending started. Duplicate the campaign, choose another channel and send the copy.',
}

/** What stops or slows a campaign and what to do about it; undefined while it runs normally. */
export function obstacleOf(
  campaign: Campaign,
): { tone: Tone; title: string; words: string; detail?: string } | undefined {
  const { status, pause_reason, pause_detail, failure_reason, waiting_until, waiting_reason } = campaign
  if (status === 'paused' && pause_reason)
    return {
      tone: 'warning',
      title: 'Paused',
      words: pauses[pause_reason],
      ...(pause_detail && pause_reason !== 'user' && { detail: pause_detail }),
    }
  if (status === 'failed')
    return {
      tone: 'bad',
      title: 'Failed',
      words: failure_reason ? failures[failure_reason] : 'No messages could be sent.',
    }
  if (status === 'sending' && waiting_until)
    return {
      tone: 'warning',
      title: 'Waiting for WhatsApp',
      words: 'Sending continues automatically, slower at first.',
      ...(waiting_reason && { detail: waiting_reason }),
    }
  return undefined
}

export const leftOf = ({ pending_count, sending_count }: Campaign) => pending_count + sending_count

/** Share of processed recipients, from 0 to 1. */
export const progressOf = (campaign: Campaign): number =>
  campaign.total_contacts_count === 0
    ? campaign.status === 'completed'
      ? 1
      : 0
    : 1 - leftOf(campaign) / campaign.total_contacts_count

/** Receipts keep arriving for a while after the last message. */
const receiptsForMs = 3 * 60_000

/** Whether the counts are likely to change, so that polling is worthwhile. */
export const isMoving = (campaign: Campaign): boolean =>
  campaign.status === 'sending' ||
  // Also when it was paused or cancelled: messages in flight still arrive.
  campaign.sending_count > 0 ||
  (campaign.sent_count > campaign.read_count + campaign.failed_count &&
    Date.now() - Date.parse(campaign.completed_at ?? campaign.updated_at) < receiptsForMs)

export const people = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'person' : 'people'}`

type Audience = Pick<Campaign, 'audience_type' | 'audience_tags' | 'audience_contact_ids' | 'total_contacts_count'>

export function audienceText({
  audience_type,
  audience_tags,
  audience_contact_ids: ids,
  total_contacts_count,
}: Audience): string {
  if (audience_type === 'all') return 'All contacts'
  if (audience_type === 'tags') return `Tagged ${(audience_tags ?? []).join(', ')}`
  const count = ids?.length ?? total_contacts_count
  return count === 1 ? '1 selected contact' : `${count.toLocaleString('en')} selected contacts`
}
