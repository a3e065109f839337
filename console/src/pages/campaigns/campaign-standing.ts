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
  user: 'Somebody paused it. Nothing more is sent until it is resumed.',
  failure_rate:
    'It paused itself because half of its last 100 messages failed. Look at the reasons below before you resume it.',
  token_expired:
    'The platform no longer accepts the channel’s access token. Save a new one in the settings, then resume it.',
  account_blocked:
    'The business account or number may not send at the moment. Settle it with the platform, then resume it.',
  template_paused: 'The platform has paused the template. Wait until it is usable again, then resume it.',
  template_unusable: 'The platform refuses the template. Mend it, or cancel this and send another one.',
  template_deleted: 'Its template was deleted. Cancel it; nothing that was sent is lost.',
  channel_deleted: 'Its channel was deleted. Cancel it; nothing that was sent is lost.',
  channel_not_ready: 'Its channel has no chat connection. Connect it in the settings, then resume it.',
}

const failures: Record<NonNullable<Campaign['failure_reason']>, string> = {
  no_template: 'When it was time to send it had no template. Make a copy with one, and send that.',
  no_channel: 'When it was time to send its channel was gone. Make a copy with another channel, and send that.',
}

/** What keeps a campaign from going on, and what to do about it; nothing while all is well. */
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
    return { tone: 'bad', title: 'Failed', words: failure_reason ? failures[failure_reason] : 'Nothing could be sent.' }
  if (status === 'sending' && waiting_until)
    return {
      tone: 'warning',
      title: 'The platform asked to wait',
      words: 'It goes on by itself, more slowly at first.',
      ...(waiting_reason && { detail: waiting_reason }),
    }
  return undefined
}

export const leftOf = ({ pending_count, sending_count }: Campaign) => pending_count + sending_count

/** How much of the work is behind us, from 0 to 1. */
export const progressOf = (campaign: Campaign): number =>
  campaign.total_contacts_count === 0
    ? campaign.status === 'completed'
      ? 1
      : 0
    : 1 - leftOf(campaign) / campaign.total_contacts_count

/** Receipts come for a while after the last message went out. */
const receiptsForMs = 3 * 60_000

/** Whether its counts are likely to move, so that it is worth looking again. */
export const isMoving = (campaign: Campaign): boolean =>
  campaign.status === 'sending' ||
  (campaign.status === 'paused' && campaign.sending_count > 0) ||
  (campaign.sent_count > campaign.read_count + campaign.failed_count &&
    Date.now() - Date.parse(campaign.completed_at ?? campaign.updated_at) < receiptsForMs)

export const people = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'person' : 'people'}`

export function audienceInWords(campaign: Campaign): string {
  if (campaign.audience_type === 'all') return 'All contacts'
  if (campaign.audience_type === 'tags') return `Tagged ${(campaign.audience_tags ?? []).join(', ')}`
  const { audience_contact_ids: ids, total_contacts_count } = campaign
  return `${(ids?.length ?? total_contacts_count).toLocaleString('en')} chosen contacts`
}
