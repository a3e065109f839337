import type { AttemptOutcome } from './attempt.ts'

export interface RetryPolicy {
  /** Delay before each retry. A delivery fails after the last one. */
  retryDelaysMs: number[]
  /** An endpoint that fails for this long without a success is disabled. */
  disableAfterMs: number
}

/** What an attempt means for the delivery and its endpoint. */
export interface Verdict {
  /** Of the delivery: `pending` if a retry follows. */
  status: 'pending' | 'succeeded' | 'failed'
  /** Index of the delay after the next failure. */
  step: number
  /** Until the retry. */
  delayMs: number | null
  /** Pause of the whole endpoint. */
  pauseMs: number | null
  disable: 'gone' | 'failing' | null
}

/** Cap on Retry-After: one day. */
const maxPauseMs = 24 * 3600 * 1000

/** Judges an attempt on an endpoint that has been failing since `failingSince`. */
export function judge(
  { response_status, attempted_at, retryAfterMs }: AttemptOutcome,
  { step, failingSince }: { step: number; failingSince: number | null },
  { retryDelaysMs, disableAfterMs }: RetryPolicy,
): Verdict {
  const verdict: Verdict = { status: 'succeeded', step, delayMs: null, pauseMs: null, disable: null }
  if (response_status !== null && response_status >= 200 && response_status < 300) return verdict
  if (response_status === 410) return { ...verdict, status: 'failed', disable: 'gone' }
  const pauseMs = retryAfterMs === null ? null : Math.min(retryAfterMs, maxPauseMs)
  const failed = {
    ...verdict,
    pauseMs,
    disable:
      failingSince !== null && Date.parse(attempted_at) - failingSince >= disableAfterMs ? ('failing' as const) : null,
  }
  const delay = retryDelaysMs[step]
  if (delay === undefined) return { ...failed, status: 'failed' }
  // Up to 20 % jitter, so that deliveries that failed together are not retried at the same moment.
  const delayMs = Math.max(delay * (1 + Math.random() / 5), pauseMs ?? 0)
  return { ...failed, status: 'pending', step: step + 1, delayMs }
}
