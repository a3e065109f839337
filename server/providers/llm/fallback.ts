import { messageOf, type OnFallback } from '../fallback/contract.ts'
import type { Llm, LlmChoice, LlmEvent, LlmRequest } from './contract.ts'

/**
 * Asks the models of a request in order: if one fails before its first event, the next one answers. Each gets an equal
 * part of the time that is left for the first words, so that a slow one leaves time for the others.
 */
export function withFallbacks(llm: Llm, onFallback: OnFallback): Llm {
  async function* stream({ fallbacks = [], ...request }: LlmRequest): AsyncGenerator<LlmEvent> {
    const deadline = performance.now() + request.firstWordsMs
    const others = [...fallbacks]
    let choice: LlmChoice = request
    for (;;) {
      const left = deadline - performance.now()
      const firstWordsMs = left / (others.length + 1)
      let hasAnswered = false
      try {
        for await (const event of llm.stream({
          ...request,
          provider: choice.provider,
          model: choice.model,
          firstWordsMs,
        })) {
          hasAnswered = true
          yield event
        }
        return
      } catch (error) {
        request.signal.throwIfAborted()
        const next = others.shift()
        // Once text was streamed, another model would repeat it.
        if (hasAnswered || !next) throw error
        const [from, to] = [choice, next].map(({ provider, model }) => `${provider}/${model}`) as [string, string]
        const fallback = { stage: 'model', from, to, message: messageOf(error) } as const
        onFallback(fallback)
        request.onFallback?.(fallback)
        choice = next
      }
    }
  }
  return { stream }
}
