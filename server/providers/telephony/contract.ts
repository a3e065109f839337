/** The interface between Frontdesk and a telephone carrier. Vendors implement it; features depend only on it. */

export interface CarrierAccount {
  accountSid: string
  authToken: string
}

/** A connection to one carrier account. Every call has a time limit and throws a `CarrierError`. */
export interface Carrier {
  /** Never retried automatically: the carrier has no idempotency key and would dial twice. */
  placeCall(call: OutgoingCall): Promise<CarrierCall>
  /** `gone` if the carrier has no such call, or it was over already. */
  endCall(carrierCallId: string): Promise<'ended' | 'gone'>
  /** Connects a running call to another number instead of the agent. */
  transferCall(carrierCallId: string, to: TransferTo): Promise<void>
  /** Returns undefined if the carrier has no such call. */
  findCall(carrierCallId: string): Promise<CarrierCall | undefined>
}

export interface TransferTo {
  number: string
  callerId: string
  /** Counts from the start of the call. */
  longestSeconds: number
  ringSeconds: number
  /** Requested when the other side has hung up or did not answer. */
  afterUrl: string | undefined
  /** Requested when the other side answers, for what it hears before the caller is connected. */
  briefingUrl: string | undefined
}

export interface OutgoingCall {
  from: string
  to: string
  /** Requested when the call is answered, for instructions. */
  answerUrl: string
  statusUrl: string
  /** Notified whether a person or a machine answered, shortly after the call is connected. */
  machineUrl: string
  /** Waits for the end of a machine's greeting, so that a message can be left after it. */
  waitForGreeting: boolean
  ringSeconds: number
  longestSeconds: number
  /** Additional parameters that only the simulated carrier reads. */
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
  /** The connected time, once it is known. */
  seconds: number | null
}

/** A parsed request of the carrier. Members that it does not carry are null. */
export interface CarrierUpdate {
  callId: string
  from: string
  to: string
  status: CarrierStatus | null
  seconds: number | null
  /** A later update has a higher number. */
  sequence: number | null
  answeredBy: string | null
  /** The carrier's own error code. */
  errorCode: string | null
  /** After a transfer: whether the caller was connected. */
  isConnected: boolean | null
}

/** Parses and answers the carrier's requests to us. The same for all its accounts. */
export interface CarrierHooks {
  /** Whether this account signed the request. `url` is the address as the carrier knows it, from the configuration. */
  isSigned(request: {
    url: string
    form: ReadonlyMap<string, string[]>
    signature: unknown
    authToken: string
  }): boolean
  read(form: ReadonlyMap<string, string[]>): CarrierUpdate
  /** Connects the caller to our socket. `afterUrl` is requested once the stream has ended. */
  connect(stream: { url: string; parameters: Record<string, string>; afterUrl: string }): HookAnswer
  hangUp(): HookAnswer
  refuse(reason: 'busy' | 'rejected'): HookAnswer
  /** Speaks a sentence and hangs up, for callers who cannot be connected. */
  say(text: string, language?: string): HookAnswer
  /** Speaks to the other side of a transfer. Requests `acceptUrl` once a key is pressed, and hangs up without one. */
  brief(briefing: { text: string; language: string; acceptUrl: string }): HookAnswer
  /** Ends the briefing: both sides are connected. */
  proceed(): HookAnswer
}

export interface HookAnswer {
  contentType: string
  body: string
}

/**
 * - `retry`: the carrier certainly did not execute the request; it may succeed after `retryAfterMs`.
 * - `fail`: the request will never succeed as it is.
 * - `unknown`: the carrier may have executed the request; repeating it could do it twice.
 */
type CarrierVerdict = 'retry' | 'fail' | 'unknown'

export class CarrierError extends Error {
  readonly verdict: CarrierVerdict
  /** The carrier's code, or one of ours: `unreachable`, `timeout`, `no_answer`, `bad_answer`, `http_503`. */
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
