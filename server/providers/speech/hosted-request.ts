import { OutboundError, type OutboundHttp, type OutboundRequest } from '../../platform/outbound-fetch.ts'
import { SpeechError } from './contract.ts'

/** What a provider's refusal means. Its own words may contain the key and are not passed on. */
export function refusal(provider: string, status: number): SpeechError {
  const passing = status === 408 || status === 425 || status === 429 || status >= 500
  return new SpeechError(passing ? 'retry' : 'fail', `${provider} answered ${status}.`)
}

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
