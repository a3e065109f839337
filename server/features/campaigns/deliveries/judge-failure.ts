import { ChatError } from '../../../providers/chat/contract.ts'
import type { PauseReason } from '../schema.ts'

/**
 * What the platform's answer to one request, or the lack of one, means for the delivery, its campaign and its channel.
 */
export type SendOutcome =
  | { kind: 'accepted'; chatMessageId: string }
  | ({ kind: 'failed'; optsOut: boolean } & Why)
  /** The platform may have sent the message. It is not retried automatically; a receipt settles it. */
  | ({ kind: 'unknown' } & Why)
  /**
   * The message was certainly not sent and is retried. `hold` stops the whole channel; `slow` if it exceeded the
   * platform's rate limit.
   */
  | ({ kind: 'again'; delayMs: number; hold?: { ms: number; slow: boolean } } & Why)
  /** The message was certainly not sent, and the campaign or channel is paused until a person has fixed the cause. */
  | ({ kind: 'stopped'; scope: 'campaign' | 'channel'; pause: PauseReason } & Why)

interface Why {
  code: string
  reason: string
}

/** The platform's message with its code, once: many of its texts already begin with `(#131016)`. */
export function withCode({ code, reason }: Why): string {
  const said = reason.startsWith(`(#${code})`) ? reason.slice(code.length + 3).trim() : reason.trim()
  const named = said === '' || said.includes(`(${code})`) || said.includes(`#${code}`)
  return named ? said || `(${code})` : `${said} (${code})`
}

const second = 1_000
/** The platform's advice for its limit per recipient: 4^n seconds. */
const recipientDelaysMs = [1, 4, 16, 64, 256].map((seconds) => seconds * second)
const maxAttempts = 6
const longestDelayMs = 5 * 60 * second

/** The recipient has stopped marketing messages of this business. */
const stoppedMarketing = '131050'
const tooFast = '130429'

/** `attempts` includes the one that failed. */
export function judgeFailure(error: unknown, attempts: number): SendOutcome {
  // A bug on our side: it is unknown how far the request got.
  if (!(error instanceof ChatError)) return { kind: 'unknown', code: 'fault', reason: 'The attempt was interrupted' }
  const why = { code: error.code, reason: error.message }
  switch (error.verdict) {
    case 'unknown':
      return { kind: 'unknown', ...why }
    case 'token_expired':
      return { kind: 'stopped', scope: 'channel', pause: 'token_expired', ...why }
    case 'pause':
      return error.scope === 'template'
        ? { kind: 'stopped', scope: 'campaign', pause: 'template_paused', ...why }
        : { kind: 'stopped', scope: 'channel', pause: 'account_blocked', ...why }
    case 'fail':
      // A faulty template fails for every recipient, so the campaign is paused instead.
      return error.scope === 'template'
        ? { kind: 'stopped', scope: 'campaign', pause: 'template_unusable', ...why }
        : { kind: 'failed', optsOut: error.code === stoppedMarketing, ...why }
    case 'retry':
      return later(error, attempts, why)
  }
}

function later(error: ChatError, attempts: number, why: Why): SendOutcome {
  // This process is shutting down: another worker claims the delivery.
  if (error.code === 'closing') return { kind: 'again', delayMs: 0, ...why }
  const concernsAll = error.scope === 'number' || error.scope === 'account' || error.scope === 'app'
  if (concernsAll || error.code === 'unreachable') {
    const ms = error.retryAfterMs ?? second
    return { kind: 'again', delayMs: 0, hold: { ms, slow: error.code === tooFast }, ...why }
  }
  if (attempts >= maxAttempts) return { kind: 'failed', optsOut: false, ...why }
  const delayMs =
    error.scope === 'recipient'
      ? (recipientDelaysMs[attempts - 1] ?? longestDelayMs)
      : Math.min(longestDelayMs, (error.retryAfterMs ?? second) * 2 ** (attempts - 1) * (0.5 + Math.random()))
  return { kind: 'again', delayMs: Math.round(delayMs), ...why }
}
