import { AppError, conflict } from '../../../platform/errors.ts'
import { LlmError } from '../../../providers/llm/contract.ts'

/** Answers the request when the model fails: 409 if the installation has no key for it, otherwise 502. */
export async function refuseFailedModel<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (signal.aborted)
      throw new AppError(502, 'The agent took too long', {
        upstream: { code: 'timeout', message: 'The turn took too long' },
      })
    if (!(error instanceof LlmError)) throw error
    if (error.fault === 'unconfigured') throw conflict(error.message)
    throw new AppError(502, error.fault === 'no_answer' ? error.message : `The model failed: ${error.message}`, {
      upstream: { code: error.fault, message: error.message },
    })
  }
}
