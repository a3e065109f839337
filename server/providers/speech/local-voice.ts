import type { Voice } from './contract.ts'
import type { SpeechPool } from './speech-pool.ts'

/** Flite on this machine: English, a whole sentence at a time, in about a thirtieth of its spoken length. */
export function createLocalVoice(pool: SpeechPool): Voice {
  return {
    provider: 'local',
    model: 'flite',
    async *speak(text, { encoding, voice, signal }) {
      if (!/[\p{L}\p{N}]/u.test(text)) return
      const result = await pool.run({ speak: { text, voice, encoding } }, { urgent: true, signal })
      if ('audio' in result) yield result.audio
    },
  }
}
