import type { Llm } from '../llm/contract.ts'
import type { Speaker, SpeakingLlm } from './contract.ts'

/** The session answers; if it fails before its first words, the hosted model writes the answer. */
export const speakOrWrite = (speaker: Speaker, hosted: Llm): SpeakingLlm => ({
  async *stream(request) {
    let hasAnswered = false
    try {
      for await (const event of speaker.stream(request)) {
        hasAnswered = true
        yield event
      }
      return
    } catch (error) {
      request.signal.throwIfAborted()
      if (hasAnswered) throw error
      speaker.replacedBy(`${request.provider}/${request.model}`, error)
    }
    yield* hosted.stream(request)
  },
})
