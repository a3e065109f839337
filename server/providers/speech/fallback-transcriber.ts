import { messageOf, type OnFallback } from '../fallback/contract.ts'
import type { Transcriber, Transcription } from './contract.ts'

/**
 * Listens with the first recognizer of the list. If it fails at the end of a turn, the next one gets the same audio, and
 * the rest of the call.
 */
export function createFallbackTranscriber(
  chain: [Transcriber, ...Transcriber[]],
  { finishMs, onFallback }: { finishMs: number; onFallback: OnFallback },
): Transcriber {
  const [first] = chain
  if (chain.length === 1) return first
  let current: Transcriber = first

  return {
    get provider() {
      return current.provider
    },
    get model() {
      return current.model
    },
    get isOwnKey() {
      return current.isOwnKey ?? false
    },
    source: first.source,
    open(options) {
      let stream: Transcription = current.open(options)
      /** The audio of the current turn; turns are at most 30 s long. */
      let turn: Uint8Array[] = []

      function switchTo(next: Transcriber, audio: Uint8Array[]): void {
        stream.close()
        current = next
        stream = next.open(options)
        for (const frame of audio) stream.write(frame)
      }

      return {
        write(frame) {
          turn.push(frame)
          stream.write(frame)
        },
        pause: () => stream.pause(),
        async finish(signal) {
          const audio = turn
          turn = []
          const start = chain.indexOf(current)
          const others = chain.map((_, i) => chain[(start + i) % chain.length] as Transcriber).slice(1)
          let missed: Uint8Array[] = []
          for (;;) {
            const next = others.shift()
            const limit = next && AbortSignal.timeout(finishMs)
            try {
              const finishing = stream.finish(limit ? AbortSignal.any([signal, limit]) : signal)
              for (const frame of missed) stream.write(frame)
              return await finishing
            } catch (error) {
              signal.throwIfAborted()
              if (!next) throw error
              const { provider: from } = current
              const message = limit?.aborted ? `${from} took too long.` : messageOf(error)
              onFallback({ stage: 'transcriber', from, to: next.provider, message })
              switchTo(next, audio)
              // Frames of the next turn, which only the failed provider has got.
              missed = [...turn]
            }
          }
        },
        discard() {
          turn = []
          stream.discard()
        },
        close: () => stream.close(),
      }
    },
  }
}
