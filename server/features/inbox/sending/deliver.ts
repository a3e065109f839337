import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../../platform/errors.ts'
import { ChatError } from '../../../providers/chat/contract.ts'
import { upstreamError } from '../../channels/connections/upstream.ts'

/** A person is waiting for this request: give up retrying after 8 s. */
const retryForMs = 8_000
const firstDelayMs = 250

/**
 * Retries a request while the platform's refusal proves that it did nothing. Any other failure, and the last refusal,
 * is thrown.
 */
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

/** Whether a failure would repeat itself, so that a job whose work may be left undone ends. */
export const isFinal = (error: unknown): boolean =>
  error instanceof ChatError ? error.verdict !== 'retry' && error.verdict !== 'unknown' : error instanceof AppError

/** The error for the caller when the platform refused the request or its outcome is unknown. */
export function upstreamFailure(error: ChatError, extra: Record<string, unknown> = {}): AppError {
  const detail =
    error.verdict === 'unknown'
      ? 'The messaging platform gave no clear answer: this may have been sent. A delivery receipt will correct the status'
      : `The messaging platform did not take it: ${error.message}`
  return upstreamError(detail, error, extra)
}
