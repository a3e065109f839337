import { OutboundError } from '../../platform/outbound-fetch.ts'
import { LlmError, type LlmRequest } from './contract.ts'

/** The abort reason of our own timeouts. */
export class OutOfTime extends Error {}

/**
 * The provider closed its stream, or ended it properly, without text and without a tool call. It counts as a failed
 * attempt.
 */
export class EmptyAnswer extends Error {}

interface Refusal {
  statusCode?: number
  responseHeaders?: Record<string, string>
  data?: { error?: { code?: unknown; type?: unknown; status?: unknown } }
}

/** Our own message, without the cause: the provider's message may quote what people said, and our key. */
export function explain(error: unknown, { provider }: LlmRequest, spoke: boolean): LlmError {
  if (error instanceof LlmError) return error
  if (error instanceof OutOfTime) return new LlmError('timeout', `${provider} did not answer in time`)
  if (error instanceof EmptyAnswer) return new LlmError('empty_answer', `${provider} answered nothing`)
  if (spoke) return new LlmError('cut_off', `${provider} broke off its answer`)
  if (outboundErrorIn(error)) return new LlmError('unreachable', `${provider} cannot be reached`)
  const { statusCode: status } = error as Refusal
  if (status === undefined) return new LlmError('unreachable', `${provider} answered something that is no answer`)
  const what = [status, codeOf(error as Refusal)].filter(Boolean).join(' ')
  if (status === 429 || status === 529 || status === 503)
    return new LlmError('overloaded', `${provider} is overloaded or our limit there is reached (${what})`)
  if (status >= 500) return new LlmError('unreachable', `${provider} failed (${what})`)
  if (status === 401 || status === 403) return new LlmError('refused', `${provider} does not accept our key (${what})`)
  if (status === 404) return new LlmError('refused', `${provider} does not know this model (${what})`)
  return new LlmError('refused', `${provider} refused the request (${what})`)
}

/** Only machine-readable codes. */
function codeOf({ data }: Refusal): string {
  const { code, status, type } = data?.error ?? {}
  return (
    [code, status, type].find((word): word is string => typeof word === 'string' && /^[\w.-]{1,64}$/.test(word)) ?? ''
  )
}

const outboundErrorIn = (error: unknown) =>
  error instanceof OutboundError || (error as { cause?: unknown }).cause instanceof OutboundError

/** The delay that the provider asks for, in each provider's format. */
export function retryDelayMs(error: unknown): number | undefined {
  const { responseHeaders: headers } = error as Refusal
  const precise = Number.parseFloat(headers?.['retry-after-ms'] ?? '')
  if (precise >= 0) return precise
  const seconds = Number.parseFloat(headers?.['retry-after'] ?? '')
  return seconds >= 0 ? seconds * 1000 : undefined
}
