import type { api as types } from '@frontdesk/sdk'
import type { Tone } from '../../ui/status.tsx'

type Call = Pick<types.Call, 'status' | 'telephony_status' | 'ended_reason' | 'medium' | 'direction'>

const progress: Record<string, [Tone, string]> = {
  queued: ['waiting', 'Waiting its turn'],
  dialing: ['busy', 'Dialling'],
  initiated: ['busy', 'Dialling'],
  ringing: ['busy', 'Ringing'],
  'in-progress': ['busy', 'On the phone'],
}

/** Where a call stands, as a tone and a word. */
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

const reasons: Record<string, string> = {
  caller_hung_up: 'The caller hung up',
  agent_ended: 'The agent ended the call',
  ended_by_request: 'Ended by request',
  handed_off: 'Handed over to a person',
  transferred: 'Transferred',
  max_duration: 'The longest time for a call was over',
  silence: 'Nobody spoke for too long',
  voicemail: 'A machine answered',
  line_lost: 'The line broke',
  busy: 'The line was busy',
  all_lines_busy: 'All lines were busy',
  no_answer: 'Nobody answered',
  not_joined: 'The browser never joined',
  carrier_refused: 'The carrier refused the call',
  carrier_unreachable: 'The carrier could not be reached',
  carrier_failed: 'The carrier could not connect the call',
  canceled: 'Called off before it was answered',
  dial_unknown: 'Nobody can say whether the carrier dialled; it was not dialled again',
  carrier_silent: 'The carrier never said what became of the call',
  no_media: 'The call was answered, but no sound came',
  no_agent: 'No agent was there to take it',
  worker_lost: 'The process that held the call stopped',
  deadline: 'It took too long to be connected',
  queued_too_long: 'It waited too long for a free line',
  failed: 'Hearing, thinking or speaking failed again and again',
}

export function reasonOf({ ended_reason, direction, medium }: Call): string {
  if (!ended_reason) return ''
  // Of a call that we made, the one who hangs up is the one who was called.
  if (ended_reason === 'caller_hung_up' && medium === 'phone' && direction === 'outbound')
    return 'The person who was called hung up'
  return reasons[ended_reason] ?? ended_reason.replaceAll('_', ' ')
}

export const outcomes: Record<NonNullable<types.Call['analysis']>['outcome'], string> = {
  answered: 'Answered',
  voicemail: 'Voicemail',
  handed_off: 'Handed over',
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

/** Calls cost cents and less: never rounded away to nothing. */
export const money = (usd: number): string =>
  usd === 0
    ? '$0'
    : `$${usd.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: usd < 0.1 ? 4 : 2 })}`

export const seconds = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`)

export const otherSide = ({ direction, from_number, to_number }: types.Call): string =>
  direction === 'outbound' ? to_number : from_number

/** Who was at the other end, in a word. */
export const whoOf = (call: types.Call): string =>
  call.contact_name || otherSide(call) || (call.medium === 'web' ? 'From a browser' : 'Unknown number')
