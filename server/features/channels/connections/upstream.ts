import { AppError } from '../../../platform/errors.ts'
import { ChatError } from '../../../providers/chat/contract.ts'
import { upstreamOf } from '../../../providers/chat/explain-error.ts'

/** 502 with the platform's code and message. */
export const upstreamError = (detail: string, error: ChatError, extra: Record<string, unknown> = {}): AppError =>
  new AppError(502, detail, { upstream: upstreamOf(error), ...extra }, error)

/** The platform refused, or could not be reached. */
export const upstreamFailed = (what: string, error: ChatError): AppError =>
  upstreamError(`${what}: ${withoutFullStop(error.message)}`, error)

/** For `.catch()`: a refusal of the platform becomes that error, and other errors stay as they are. */
export const failWith =
  (what: string) =>
  (error: unknown): never => {
    throw error instanceof ChatError ? upstreamFailed(what, error) : error
  }

export const withoutFullStop = (text: string): string => text.trim().replace(/\.$/, '')
