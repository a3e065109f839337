import { setTimeout as wait } from 'node:timers/promises'
import type { TurnEvent } from '../server/features/agents/answering/turn.ts'
import type { CallConverse } from '../server/features/calls/conversation/contract.ts'
import { frameBytes, type Transcriber, type Voice } from '../server/providers/speech/contract.ts'
import { createHummingVoice } from '../server/providers/speech/scripted.ts'

/** Stages with the delays of hosted providers on a good day. */
const transcriptMs = 80
const firstTokenMs = 250
/** 100 tokens per second. */
const tokenMs = 10
const firstAudioMs = 120
/** A streaming recognizer sends a partial transcript after this much more audio. */
const partialEveryMs = 100

/** A streaming recognizer: every transcript arrives 80 ms after its audio. */
export function createMockTranscriber(words: string[]): Transcriber {
  return {
    provider: 'mock',
    model: 'streaming',
    source: 'recognised',
    open({ encoding, onPartial, signal }) {
      let bytes = 0
      let atPause: Promise<string> | undefined
      const partialBytes = frameBytes(encoding) * (partialEveryMs / 20)
      const text = () => words.slice(0, Math.ceil(bytes / (3 * partialBytes))).join(' ')
      const finalText = () => wait(transcriptMs, words.join(' '), { signal })
      return {
        write(frame) {
          atPause = undefined
          bytes += frame.length
          if (bytes % partialBytes === 0)
            wait(transcriptMs, text(), { signal }).then(
              (soFar) => bytes > 0 && onPartial(soFar),
              () => {},
            )
        },
        pause() {
          atPause = finalText()
          return atPause
        },
        async finish() {
          const heard = bytes > 0 ? (atPause ?? finalText()) : ''
          bytes = 0
          return heard
        },
        discard() {
          bytes = 0
        },
        close() {},
      }
    },
  }
}

const done: TurnEvent = {
  type: 'done',
  text: '',
  usage: { input_tokens: 0, output_tokens: 0, model: 'mock' },
  sources: [],
  unanswered: null,
}

/** A model that writes its first token after 250 ms, then 100 tokens per second. */
export const mockModel: CallConverse = async function* ({ signal }) {
  await wait(firstTokenMs, undefined, { signal })
  for (const token of ['Yes,', ' it', ' does.', ' It', ' arrives', ' on', ' Monday.']) {
    yield { type: 'text', text: token }
    await wait(tokenMs, undefined, { signal })
  }
  yield done
}

/** A voice whose first audio arrives after 120 ms. */
export function createMockVoice(): Voice {
  const hum = createHummingVoice()
  return {
    ...hum,
    async *speak(text, options) {
      await wait(firstAudioMs, undefined, { signal: options.signal })
      yield* hum.speak(text, options)
    },
  }
}
