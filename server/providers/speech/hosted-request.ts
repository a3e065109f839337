import { OutboundError, type OutboundHttp, type OutboundRequest } from '../../platform/outbound-fetch.ts'
import { SpeechError } from './contract.ts'

/** A provider answered with a status that is no success. */
export class Refusal extends SpeechError {
  readonly status: number
  constructor(provider: string, status: number) {
    const passing = status === 408 || status === 425 || status === 429 || status >= 500
    super(passing ? 'retry' : 'fail', `${provider} answered ${status}.`)
    this.status = status
  }
}

/** What a provider's refusal means. Its own words may contain the key and are not passed on. */
export const refusal = (provider: string, status: number): Refusal => new Refusal(provider, status)

/** The response's bytes as they arrive. Throws `SpeechError`, or the signal's reason. */
export async function* streamAnswer(
  http: OutboundHttp,
  provider: string,
  request: OutboundRequest & { signal: AbortSignal },
): AsyncIterable<Uint8Array> {
  try {
    const { status, body } = await http.stream(request)
    if (status !== 200) {
      body.destroy()
      throw refusal(provider, status)
    }
    for await (const piece of body) yield piece
  } catch (error) {
    throw explained(provider, error, request.signal)
  }
}

export function explained(provider: string, error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  if (error instanceof OutboundError) return new SpeechError('retry', `${provider} gave no answer.`, error)
  return error
}
