/** What Frontdesk needs of a telephone carrier, in Frontdesk's words. Vendors implement it; features know only this. */

export interface CarrierAccount {
  accountSid: string
  authToken: string
}

/** One account at the carrier. Every call has a time limit and throws a `CarrierError`. */
export interface Carrier {
  /** Never repeats by itself: the carrier has no idempotency key, and would dial twice. */
  placeCall(call: OutgoingCall): Promise<CarrierCall>
  /** `gone` when the carrier has no such call, or it was over already. */
  endCall(carrierCallId: string): Promise<'ended' | 'gone'>
  /** Connects a running call to another number, in place of the agent, for as long as is said from the call's start. */
  transferCall(carrierCallId: string, to: { number: string; callerId: string; longestSeconds: number }): Promise<void>
  /** Nothing when the carrier has no such call. */
  findCall(carrierCallId: string): Promise<CarrierCall | undefined>
}

export interface OutgoingCall {
  from: string
  to: string
  /** Asked what to do once somebody answers. */
  answerUrl: string
  statusUrl: string
  /** Told who answered, a person or a machine, a moment after the call was connected. */
  machineUrl: string
  /** Wait for the end of a machine's greeting, so that a message can be left behind it. */
  waitForGreeting: boolean
  ringSeconds: number
  longestSeconds: number
  /** Further members that only a simulated carrier reads. */
  simulation?: Record<string, string>
}

export const carrierStatuses = [
  'queued',
  'initiated',
  'ringing',
  'in-progress',
  'completed',
  'busy',
  'no-answer',
  'failed',
  'canceled',
] as const
export type CarrierStatus = (typeof carrierStatuses)[number]

export const isOver = (status: CarrierStatus): boolean =>
  status === 'completed' || status === 'busy' || status === 'no-answer' || status === 'failed' || status === 'canceled'

export interface CarrierCall {
  id: string
  status: CarrierStatus
  /** How long it was connected, once that is known. */
  seconds: number | null
}

/** What a request of the carrier's says. Members that it does not carry are null. */
export interface CarrierNews {
  callId: string
  from: string
  to: string
  status: CarrierStatus | null
  seconds: number | null
  /** Later news has a higher number. */
  sequence: number | null
  answeredBy: string | null
  /** The carrier's own code for what went wrong. */
  errorCode: string | null
}

/** How a carrier's requests to us are read and answered: the same for all its accounts. */
export interface CarrierHooks {
  /** Whether a request was signed by this account: `url` as the carrier knows it, from the configuration. */
  isSigned(request: {
    url: string
    form: ReadonlyMap<string, string[]>
    signature: unknown
    authToken: string
  }): boolean
  read(form: ReadonlyMap<string, string[]>): CarrierNews
  /** Connect the caller to our socket; `afterUrl` is asked once that is over. */
  connect(stream: { url: string; parameters: Record<string, string>; afterUrl: string }): HookAnswer
  hangUp(): HookAnswer
  refuse(reason: 'busy' | 'rejected'): HookAnswer
  /** For callers whom nobody can be found for: a sentence, then the end. */
  say(text: string): HookAnswer
}

export interface HookAnswer {
  contentType: string
  body: string
}

/**
 * - `retry`: the carrier surely did not do it; the same may succeed after `retryAfterMs`.
 * - `fail`: it will never succeed as it is.
 * - `unknown`: nobody can say whether it was done, and doing it again could do it twice.
 */
export type CarrierVerdict = 'retry' | 'fail' | 'unknown'

export class CarrierError extends Error {
  readonly verdict: CarrierVerdict
  /** The carrier's code, or a word of ours: `unreachable`, `timeout`, `no_answer`, `bad_answer`, `http_503`. */
  readonly code: string
  readonly retryAfterMs: number | null
  constructor(
    verdict: CarrierVerdict,
    code: string,
    message: string,
    options: { retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.verdict = verdict
    this.code = code
    this.retryAfterMs = options.retryAfterMs ?? null
  }
}
