import type { api as types } from '@frontdesk/sdk'
import type { Tone } from '../../ui/status.tsx'

type Call = Pick<types.Call, 'status' | 'telephony_status' | 'ended_reason' | 'medium' | 'direction'>

const progress: Record<string, [Tone, string]> = {
  queued: ['waiting', 'Queued'],
  dialing: ['busy', 'Dialing'],
  initiated: ['busy', 'Dialing'],
  ringing: ['busy', 'Ringing'],
  'in-progress': ['busy', 'In progress'],
}

/** The status of a call, as tone and text. */
export function statusOf({ status, telephony_status, medium }: Call): [Tone, string] {
  switch (status) {
    case 'completed':
      return ['good', 'Completed']
    case 'busy':
      return ['warning', 'Busy']
    case 'no-answer':
      return ['warning', 'No answer']
    case 'failed':
      return ['bad', 'Failed']
    default:
      if (medium === 'web') return telephony_status === 'queued' ? ['waiting', 'Joining'] : ['busy', 'Talking']
      return progress[telephony_status] ?? ['busy', 'In progress']
  }
}

const reasons: Record<NonNullable<types.Call['ended_reason']>, string> = {
  caller_hung_up: 'The caller hung up',
  agent_ended: 'The agent ended the call',
  ended_by_request: 'Ended by request',
  handed_off: 'Handed off to a person',
  transferred: 'Transferred',
  max_duration: 'Maximum call length reached',
  silence: 'Ended after silence',
  voicemail: 'Voicemail answered',
  line_lost: 'Connection lost',
  busy: 'Line busy',
  all_lines_busy: 'All lines busy',
  no_answer: 'No answer',
  not_joined: 'The browser never joined',
  carrier_refused: 'The carrier rejected the call',
  carrier_unreachable: 'The carrier could not be reached',
  carrier_failed: 'The carrier could not connect the call',
  canceled: 'Cancelled before it was answered',
  dial_unknown: 'Unknown whether the carrier dialed; not dialed again',
  carrier_silent: 'The carrier never reported the result',
  no_media: 'Answered, but no audio arrived',
  no_agent: 'No agent was available',
  worker_lost: 'The server handling the call stopped',
  deadline: 'Connecting took too long',
  queued_too_long: 'Waited too long for a free line',
  failed: 'Repeated speech or model errors',
}

export function reasonOf({ ended_reason, direction, medium }: Call): string {
  if (!ended_reason) return ''
  // In an outbound call the remote side is the called person.
  if (ended_reason === 'caller_hung_up' && medium === 'phone' && direction === 'outbound')
    return 'The called person hung up'
  return reasonText(ended_reason)
}

/** A server newer than this page may know more reasons. */
export const reasonText = (reason: string): string =>
  (reasons as Record<string, string>)[reason] ?? reason.replaceAll('_', ' ')

export const outcomes: Record<NonNullable<types.Call['analysis']>['outcome'], string> = {
  answered: 'Answered',
  voicemail: 'Voicemail',
  handed_off: 'Handed off',
  transferred: 'Transferred',
  not_reached: 'Not reached',
  failed: 'Failed',
}

/** 0:42, 12:05, 1:02:03. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const padded = String(rest).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${padded}` : `${minutes}:${padded}`
}

/** Calls may cost fractions of a cent, which must not round to zero. */
export const money = (usd: number): string =>
  usd === 0
    ? '$0'
    : `$${usd.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: usd < 0.1 ? 4 : 2 })}`

export const seconds = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`)

export const otherSide = ({ direction, from_number, to_number }: types.Call): string =>
  direction === 'outbound' ? to_number : from_number

/** The remote side of a call. */
export const whoOf = (call: types.Call): string =>
  call.contact_name || otherSide(call) || (call.medium === 'web' ? 'Browser' : 'Unknown number')
