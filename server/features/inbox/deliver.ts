import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../platform/errors.ts'
import { ChatError, upstreamOf } from '../../providers/chat/contract.ts'

/** How long a caller waits for a platform that asks to try again. */
const retryForMs = 8_000
const firstDelayMs = 250

/** Repeats a request while the platform refuses it with proof that it did nothing; any other failure, and the last refusal, is thrown. */
export async function withRetries<T>(attempt: () => Promise<T>): Promise<T> {
  const started = performance.now()
  for (let tries = 0; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof ChatError) || error.verdict !== 'retry') throw error
      const delayMs = (error.retryAfterMs ?? firstDelayMs * 2 ** tries) * (1 + Math.random() / 4)
      if (performance.now() - started + delayMs > retryForMs) throw error
      await sleep(delayMs)
    }
  }
}

/** The answer to the caller when the platform refused, or gave no clear answer. */
export function upstreamFailure(error: ChatError, extra: Record<string, unknown> = {}): AppError {
  const detail =
    error.verdict === 'unknown'
      ? 'The messaging platform gave no clear answer: this may have been sent, and a receipt will tell'
      : `The messaging platform did not take it: ${error.message}`
  return new AppError(502, detail, { upstream: upstreamOf(error), ...extra }, error)
}
