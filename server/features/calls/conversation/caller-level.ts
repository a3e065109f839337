import { toSamples } from '../../../providers/speech/audio.ts'
import type { Encoding } from '../../../providers/speech/contract.ts'

/** Tells the caller from people in the background, and from a faint echo of the agent, by their loudness. */
interface CallerLevel {
  /**
   * Whether a voiced frame is loud enough to be the caller's. The first speech on a call always is. `over`: whether
   * the sound starts or continues while the agent speaks.
   */
  isCaller(frame: Uint8Array, over?: 'starts' | 'continues'): boolean
}

/** Background is below a tenth (-20 dB) of the caller's average level. */
const backgroundShare = 0.1
/** To start a turn over the agent, a sound needs 0.4 (-8 dB): callers who interrupt are not quieter than before. */
const overShares = { starts: 0.4, continues: backgroundShare }
/** The average covers about the last second of speech. */
const averaging = 0.02
/** Each frame in the background lowers the level, so that a caller who put the phone down is heard again after 5 s. */
const fading = 0.992

export function createCallerLevel(encoding: Encoding): CallerLevel {
  let level = 0
  return {
    isCaller(frame, over) {
      const samples = toSamples(frame, encoding)
      let energy = 0
      for (const sample of samples) energy += sample * sample
      const loudness = Math.sqrt(energy / samples.length)
      if (loudness < level * (over ? overShares[over] : backgroundShare)) {
        // A person who talks on behind the agent does not become the caller.
        if (!over) level *= fading
        return false
      }
      level += (loudness - level) * (level === 0 ? 1 : averaging)
      return true
    },
  }
}
