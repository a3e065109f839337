import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../platform/errors.ts'
import { ChatError, upstreamOf } from '../../providers/chat/contract.ts'

/** How long a caller is kept waiting for a platform that asks to try again. */
const patienceMs = 8_000
const firstDelayMs = 250

/** Repeats what the platform surely did not do, for a while; anything else, and the last refusal, is thrown. */
export async function withPatience<T>(attempt: () => Promise<T>): Promise<T> {
  const started = performance.now()
  for (let tries = 0; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof ChatError) || error.verdict !== 'retry') throw error
      const delayMs = (error.retryAfterMs ?? firstDelayMs * 2 ** tries) * (1 + Math.random() / 4)
      if (performance.now() - started + delayMs > patienceMs) throw error
      await sleep(delayMs)
    }
  }
}

/** What the caller hears when the platform refused, or did not answer. */
export function upstreamFailure(error: ChatError, extra: Record<string, unknown> = {}): AppError {
  const detail =
    error.verdict === 'unknown'
      ? 'The messaging platform did not answer: nobody can say whether it was sent'
      : `The messaging platform did not take it: ${error.message}`
  return new AppError(502, detail, { upstream: upstreamOf(error), ...extra }, error)
}
