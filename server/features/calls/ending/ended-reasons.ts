import type { EndStatus } from '../statuses.ts'

/** All reasons with the statuses they can have and their meaning. The guide on calls is generated from this list. */
export const endedReasons = {
  caller_hung_up: { statuses: ['completed'], meaning: 'The other side hung up' },
  agent_ended: { statuses: ['completed'], meaning: 'The agent ended the call after its last words' },
  ended_by_request: {
    statuses: ['completed', 'failed'],
    meaning: '`POST /calls/{id}/end` was called; `failed` if the call had not been answered yet',
  },
  handed_off: {
    statuses: ['completed'],
    meaning: 'The agent handed off to a person: a task and a ticket ask for a call back',
  },
  transferred: { statuses: ['completed'], meaning: 'The carrier connected the caller to `transfer_number`' },
  max_duration: { statuses: ['completed'], meaning: 'The call reached `max_duration_seconds`' },
  silence: { statuses: ['completed'], meaning: 'Neither side spoke for `silence_timeout_seconds`' },
  voicemail: { statuses: ['completed'], meaning: 'A machine answered, and the agent hung up or left its message' },
  line_lost: {
    statuses: ['completed', 'failed'],
    meaning: 'The audio connection broke; `failed` if the caller had not spoken',
  },
  busy: { statuses: ['busy'], meaning: 'The number was busy' },
  all_lines_busy: {
    statuses: ['busy'],
    meaning: 'An inbound call arrived while `CALLS_PER_ORGANIZATION` calls were running',
  },
  no_answer: { statuses: ['no-answer'], meaning: 'The call was not answered' },
  not_joined: { statuses: ['no-answer'], meaning: 'The browser did not join within a minute' },
  carrier_refused: { statuses: ['failed'], meaning: 'The carrier refused the call; `error` has its code' },
  carrier_unreachable: { statuses: ['failed'], meaning: 'The carrier could not be reached, and nothing was dialed' },
  carrier_failed: { statuses: ['failed'], meaning: 'The carrier could not connect the call' },
  canceled: { statuses: ['failed'], meaning: 'The call was canceled before it was answered' },
  dial_unknown: {
    statuses: ['failed'],
    meaning: 'The carrier did not say whether it dialed, so the call was not dialed again',
  },
  carrier_silent: { statuses: ['failed'], meaning: 'The carrier accepted the call and never reported its outcome' },
  no_media: { statuses: ['failed'], meaning: 'The call was answered, but no audio arrived' },
  no_agent: { statuses: ['failed'], meaning: 'The channel has no active agent' },
  worker_lost: { statuses: ['failed'], meaning: 'The process that held the call stopped' },
  deadline: { statuses: ['failed'], meaning: 'The call ran longer than its limits allow' },
  queued_too_long: { statuses: ['failed'], meaning: 'The call waited an hour for a free slot' },
  failed: {
    statuses: ['failed'],
    meaning:
      'Speech recognition, the model or speech synthesis failed twice in a row; `error` says which. A task and a ticket ask for a call back',
  },
} as const satisfies Record<string, { statuses: readonly EndStatus[]; meaning: string }>
export type CallEndedReason = keyof typeof endedReasons
