import type { Transcriber } from './contract.ts'
import { transcribeSegments } from './segment-transcriber.ts'
import type { SpeechPool } from './speech-pool.ts'

/** Moonshine tiny on this machine: English, made for short turns. */
export function createLocalTranscriber(pool: SpeechPool): Transcriber {
  return {
    provider: 'local',
    model: 'moonshine-tiny',
    source: 'recognised',
    open(options) {
      // Loads while the greeting is spoken. Without that the first words wait a little longer.
      pool.run({ prepare: 'recogniser' }, { urgent: false, signal: options.signal }).catch(() => {})
      return transcribeSegments(
        async (audio, { encoding, urgent, signal }) => {
          const result = await pool.run({ recognise: { audio, encoding } }, { urgent, signal })
          return 'text' in result ? result.text : ''
        },
        options,
        { eager: true, partialEveryMs: 1_500 },
      )
    },
  }
}
