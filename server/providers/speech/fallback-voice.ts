import { chainFrom, messageOf, type OnFallback } from '../fallback/contract.ts'
import type { SpeakOptions, SpokenWord, Voice } from './contract.ts'

export interface NamedVoice {
  voice: Voice
  /** The provider's own name of the voice. */
  voiceName: string
}

/**
 * Speaks with the first voice of the list. If one fails before its first audio, the next one speaks the sentence, and the
 * rest of the call: a caller should not hear two voices in turn.
 */
export function createFallbackVoice(
  chain: [NamedVoice, ...NamedVoice[]],
  { firstAudioMs, onFallback }: { firstAudioMs: number; onFallback: OnFallback },
): NamedVoice {
  const [first] = chain
  if (chain.length === 1) return first
  let current: NamedVoice = first

  async function* speak(text: string, options: SpeakOptions): AsyncIterable<Uint8Array> {
    const candidates = chainFrom<NamedVoice>(chain, current)
    for (const [i, candidate] of candidates.entries()) {
      const next = candidates[i + 1]
      let hasSpoken = false
      try {
        for await (const piece of attempt(candidate, text, options, next && firstAudioMs)) {
          hasSpoken = true
          yield piece
        }
        return
      } catch (error) {
        options.signal.throwIfAborted()
        const then = next ?? (candidates[0] as NamedVoice)
        const isCurrent = current === candidate
        // A sentence that broke off cannot be continued by another voice, but the next one can be spoken by it.
        if (isCurrent) current = then
        const [from, to] = [candidate.voice.provider, then.voice.provider]
        if (hasSpoken ? isCurrent : next) onFallback({ stage: 'voice', from, to, message: messageOf(error) })
        if (hasSpoken || !next) throw error
      }
    }
  }

  return {
    voiceName: first.voiceName,
    voice: {
      get provider() {
        return current.voice.provider
      },
      get model() {
        return current.voice.model
      },
      get isOwnKey() {
        return current.voice.isOwnKey ?? false
      },
      speak,
    },
  }
}

async function* attempt(
  { voice, voiceName }: NamedVoice,
  text: string,
  { onWord, signal, ...options }: SpeakOptions,
  /** Without a limit, the caller of the voice decides. */
  limitMs: number | undefined,
): AsyncIterable<Uint8Array> {
  const late = new AbortController()
  const tooLate = () => late.abort(new Error(`${voice.provider} took too long.`))
  const timer = limitMs === undefined ? undefined : setTimeout(tooLate, limitMs)
  // Words count once the audio has begun: before that, another voice may still speak them.
  let words: SpokenWord[] | undefined = []
  const hold = (word: SpokenWord) => (words ? void words.push(word) : onWord?.(word))
  const given = { ...options, voice: voiceName, signal: AbortSignal.any([signal, late.signal]) }
  try {
    for await (const piece of voice.speak(text, onWord ? { ...given, onWord: hold } : given)) {
      clearTimeout(timer)
      for (const word of words ?? []) onWord?.(word)
      words = undefined
      yield piece
    }
  } finally {
    clearTimeout(timer)
  }
}
