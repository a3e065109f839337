import type { Outcome } from './attempt.ts'

export interface Schedule {
  /** How long to wait after the first failure, after the second, and so on. After the last one there is no other. */
  retryDelaysMs: number[]
  /** Who fails for so long without a success is disabled. */
  disableAfterMs: number
}

export interface Verdict {
  status: 'pending' | 'succeeded' | 'failed'
  step: number
  delayMs: number | null
  /** The whole endpoint is to be left alone for so long. */
  pauseMs: number | null
  disable: 'gone' | 'failing' | null
}

/** No endpoint may ask to be left alone for longer than a day. */
const longestPauseMs = 24 * 3600 * 1000

/** What an attempt means: for the delivery, and for its endpoint. `failingSince` is when the endpoint began to fail, if it did before. */
export function judge(
  { response_status, attempted_at, retryAfterMs }: Outcome,
  { step, failingSince }: { step: number; failingSince: number | null },
  { retryDelaysMs, disableAfterMs }: Schedule,
): Verdict {
  const verdict: Verdict = { status: 'succeeded', step, delayMs: null, pauseMs: null, disable: null }
  if (response_status !== null && response_status >= 200 && response_status < 300) return verdict
  if (response_status === 410) return { ...verdict, status: 'failed', disable: 'gone' }
  const pauseMs = retryAfterMs === null ? null : Math.min(retryAfterMs, longestPauseMs)
  const failed = {
    ...verdict,
    pauseMs,
    disable:
      failingSince !== null && Date.parse(attempted_at) - failingSince >= disableAfterMs ? ('failing' as const) : null,
  }
  const delay = retryDelaysMs[step]
  if (delay === undefined) return { ...failed, status: 'failed' }
  // Many failed together: they come back a little apart.
  const delayMs = Math.max(delay * (1 + Math.random() / 5), pauseMs ?? 0)
  return { ...failed, status: 'pending', step: step + 1, delayMs }
}
