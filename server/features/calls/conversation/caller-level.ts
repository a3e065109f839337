import { toSamples } from '../../../providers/speech/audio.ts'
import type { Encoding } from '../../../providers/speech/contract.ts'

/** Tells the caller from people in the background, and from a faint echo of the agent, by their loudness. */
interface CallerLevel {
  /** Whether a voiced frame is loud enough to be the caller's. The first speech on a call always is. */
  isCaller(frame: Uint8Array): boolean
}

/** Background is below a tenth (-20 dB) of the caller's average level. */
const backgroundShare = 0.1
/** The average covers about the last second of speech. */
const averaging = 0.02
/** Each frame in the background lowers the level, so that a caller who put the phone down is heard again after 5 s. */
const fading = 0.992

export function createCallerLevel(encoding: Encoding): CallerLevel {
  let level = 0
  return {
    isCaller(frame) {
      const samples = toSamples(frame, encoding)
      let energy = 0
      for (const sample of samples) energy += sample * sample
      const loudness = Math.sqrt(energy / samples.length)
      if (loudness < level * backgroundShare) {
        level *= fading
        return false
      }
      level += (loudness - level) * (level === 0 ? 1 : averaging)
      return true
    },
  }
}
