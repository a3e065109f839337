import { AppError } from '../../../platform/errors.ts'
import { type ChatError, upstreamOf } from '../../../providers/chat/contract.ts'

/** Refused in the platform's own words: a bare 404 may come from another server at its address. */
export const isRefusal = ({ verdict, code }: ChatError): boolean =>
  verdict === 'fail' && (/^\d+$/.test(code) || ['http_400', 'http_409', 'http_422'].includes(code))

/** The platform refused, or could not be reached, with its own message. */
export const upstreamFailed = (what: string, error: ChatError) =>
  new AppError(502, `${what}: ${withoutFullStop(error.message)}`, { upstream: upstreamOf(error) }, error)

export const withoutFullStop = (text: string): string => text.trim().replace(/\.$/, '')
