import type { PauseReason } from '../schema.ts'
import { amount, isolated } from './figures.ts'
import type { Report } from './report.ts'
import type { ReportFacts } from './schema.ts'

const pauses: Record<PauseReason, string> = {
  user: 'It was paused.',
  failure_rate:
    'It paused itself because half of its last messages failed: see the reasons below before you resume it.',
  token_expired: 'The channel’s access token is no longer valid: save a new one, then resume it.',
  account_blocked: 'The platform has blocked the business account or number.',
  template_paused: 'The platform has paused the template.',
  template_unusable: 'The platform refuses the template.',
  template_deleted: 'Its template was deleted.',
  channel_deleted: 'Its channel was deleted.',
  channel_not_ready: 'Its channel is not ready to send.',
}

const failures = {
  no_template: 'It had no template when it was time to send.',
  no_channel: 'It had no channel when it was time to send.',
}

/** A campaign's state in a word and in a sentence. */
export function statusOf(facts: ReportFacts, clock: (instant: string) => string): Report['status'] {
  const left = facts.pending_count + facts.sending_count
  switch (facts.status) {
    case 'scheduled':
      return {
        word: 'Scheduled',
        tone: 'calm',
        sentence: facts.scheduled_at ? `Sending starts ${clock(facts.scheduled_at)}.` : 'Sending starts soon.',
      }
    case 'sending':
      return {
        word: 'Sending',
        tone: 'busy',
        sentence: facts.frozen_at
          ? `${amount(left, 'message')} still to be sent: the figures are changing.`
          : 'Recipients are still being counted: the figures are changing.',
      }
    case 'paused':
      return { word: 'Paused', tone: 'bad', sentence: pausedSentence(facts) }
    case 'completed':
      return { word: 'Completed', tone: 'good', sentence: 'Everything is sent; receipts may still come in.' }
    case 'cancelled':
      return {
        word: 'Cancelled',
        tone: 'bad',
        sentence:
          left > 0 ? `${amount(left, 'recipient')} will not be sent the message.` : 'Nothing more will be sent.',
      }
    case 'failed':
      return {
        word: 'Failed',
        tone: 'bad',
        sentence: facts.failure_reason ? failures[facts.failure_reason] : 'Nothing could be sent.',
      }
  }
}

function pausedSentence({ pause_reason, pause_detail }: ReportFacts): string {
  const sentence = pause_reason ? pauses[pause_reason] : 'Nothing is sent at the moment.'
  const saysMore = pause_reason === 'account_blocked' || pause_reason?.startsWith('template_')
  return saysMore && pause_detail ? `${sentence} ${isolated(pause_detail)}.` : sentence
}
