import { AppError } from '../../platform/errors.ts'
import { ChatError, upstreamOf } from '../../providers/chat/contract.ts'

/** For a call to the platform that failed: answers 502 with the platform's message. Other errors stay as they are. */
export const failWith =
  (what: string) =>
  (error: unknown): never => {
    if (!(error instanceof ChatError)) throw error
    throw new AppError(502, `${what}: ${error.message}`, { upstream: upstreamOf(error) }, error)
  }
