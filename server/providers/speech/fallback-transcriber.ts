import { chainFrom, messageOf, type OnFallback } from '../fallback/contract.ts'
import { StalledError, type Transcriber, type Transcription } from './contract.ts'

/** One provider's stream. It is closed once the call listens with another one and no turn waits for its transcript. */
interface Stream {
  transcriber: Transcriber
  transcription: Transcription
  pendingTurns: number
}

/**
 * Listens with the first recognizer of the list. If it fails at the end of a turn, the next one gets the same audio, and
 * the rest of the call. Turns may overlap: if two fail on the same stream, the first one replaces it, and the other one
 * is transcribed on a stream of its own.
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
      const streams = new Set<Stream>()
      /** The audio of the current turn; turns are at most 30 s long. */
      let turn: Uint8Array[] = []
      let isClosed = false
      let shared = openStream(current)

      function openStream(transcriber: Transcriber, given = options): Stream {
        const stream = { transcriber, transcription: transcriber.open(given), pendingTurns: 0 }
        streams.add(stream)
        return stream
      }

      function release(stream: Stream): void {
        stream.pendingTurns--
        if (stream === shared || stream.pendingTurns > 0) return
        streams.delete(stream)
        stream.transcription.close()
      }

      /** Where a turn goes after `failed`. Partial transcripts are for the current turn, so only the shared one has any. */
      function replace(failed: Stream, next: Transcriber): Stream {
        if (failed !== shared) return openStream(next, { ...options, onPartial() {} })
        current = next
        shared = openStream(next)
        return shared
      }

      return {
        write(frame) {
          turn.push(frame)
          shared.transcription.write(frame)
        },
        pause: () => shared.transcription.pause(),
        async finish(signal) {
          const audio = turn
          turn = []
          let others = chainFrom<Transcriber>(chain, shared.transcriber).slice(1)
          let stream = shared
          let missed: Uint8Array[] = []
          /** Half a turn, in case no other recognizer works. */
          let stalled: StalledError | undefined
          stream.pendingTurns++
          try {
            for (;;) {
              const limit = others.length > 0 ? AbortSignal.timeout(finishMs) : undefined
              try {
                const finishing = stream.transcription.finish(limit ? AbortSignal.any([signal, limit]) : signal)
                for (const frame of missed) stream.transcription.write(frame)
                return await finishing
              } catch (error) {
                signal.throwIfAborted()
                // Another turn may have found the next one that works.
                const next = others.includes(shared.transcriber) ? shared.transcriber : others[0]
                if (error instanceof StalledError && error.heard) stalled ??= error
                if (!next || isClosed) throw stalled ?? error
                others = others.slice(others.indexOf(next) + 1)
                const { provider: from } = stream.transcriber
                const message = limit?.aborted ? `${from} took too long.` : messageOf(error)
                if (next !== shared.transcriber) onFallback({ stage: 'transcriber', from, to: next.provider, message })
                const failed = stream
                stream = replace(failed, next)
                stream.pendingTurns++
                release(failed)
                for (const frame of audio) stream.transcription.write(frame)
                // Frames of the next turn, which only the failed provider has got.
                missed = stream === shared ? [...turn] : []
              }
            }
          } finally {
            release(stream)
          }
        },
        discard() {
          turn = []
          shared.transcription.discard()
        },
        close() {
          isClosed = true
          for (const { transcription } of streams) transcription.close()
        },
      }
    },
  }
}
