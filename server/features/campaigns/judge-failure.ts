import { ChatError } from '../../providers/chat/contract.ts'
import type { PauseReason } from './schema.ts'

/** What the platform's answer to one attempt, or its silence, means for the delivery, its campaign and its channel. */
export type Outcome =
  | { kind: 'accepted'; chatMessageId: string }
  | ({ kind: 'failed'; optsOut: boolean } & Why)
  /** The platform may have sent it: it is never sent again by itself, and a receipt settles it. */
  | ({ kind: 'unknown' } & Why)
  /** It was surely not sent. With `hold` the whole channel keeps quiet, `slow` when it was too fast. */
  | ({ kind: 'again'; delayMs: number; hold?: { ms: number; slow: boolean } } & Why)
  /** It was surely not sent, and nothing like it will be until a person has changed something. */
  | ({ kind: 'stopped'; scope: 'campaign' | 'channel'; pause: PauseReason } & Why)

interface Why {
  code: string
  reason: string
}

/** The platform's words with its code, once: many of its texts begin with `(#131016)` themselves. */
export function withCode({ code, reason }: Why): string {
  const said = reason.startsWith(`(#${code})`) ? reason.slice(code.length + 3).trim() : reason.trim()
  const named = said === '' || said.includes(`(${code})`) || said.includes(`#${code}`)
  return named ? said || `(${code})` : `${said} (${code})`
}

const second = 1_000
/** The platform's own advice for one person: 1, 4, 16, 64, 256 seconds. */
const recipientDelaysMs = [1, 4, 16, 64, 256].map((seconds) => seconds * second)
const mostAttempts = 6
const longestDelayMs = 5 * 60 * second

/** The person told the platform to bring no more marketing. */
const stoppedMarketing = '131050'
const tooFast = '130429'

/** `attempts` includes the one that failed. */
export function judgeFailure(error: unknown, attempts: number): Outcome {
  // A fault of ours: how far the request got is not known.
  if (!(error instanceof ChatError)) return { kind: 'unknown', code: 'fault', reason: 'The attempt broke off' }
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
      // What is wrong with the template is wrong for everybody: the others need not fail as well.
      return error.scope === 'template'
        ? { kind: 'stopped', scope: 'campaign', pause: 'template_unusable', ...why }
        : { kind: 'failed', optsOut: error.code === stoppedMarketing, ...why }
    case 'retry':
      return later(error, attempts, why)
  }
}

function later(error: ChatError, attempts: number, why: Why): Outcome {
  // This process is ending: another worker takes it.
  if (error.code === 'closing') return { kind: 'again', delayMs: 0, ...why }
  const concernsAll = error.scope === 'number' || error.scope === 'account' || error.scope === 'app'
  if (concernsAll || error.code === 'unreachable') {
    const ms = error.retryAfterMs ?? second
    return { kind: 'again', delayMs: 0, hold: { ms, slow: error.code === tooFast }, ...why }
  }
  if (attempts >= mostAttempts) return { kind: 'failed', optsOut: false, ...why }
  const delayMs =
    error.scope === 'recipient'
      ? (recipientDelaysMs[attempts - 1] ?? longestDelayMs)
      : Math.min(longestDelayMs, (error.retryAfterMs ?? second) * 2 ** (attempts - 1) * (0.5 + Math.random()))
  return { kind: 'again', delayMs: Math.round(delayMs), ...why }
}
