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
/**
 * A sound that starts while the agent speaks needs a larger share of the level: 0.4 (-8 dB) at first. Refused frames
 * above 0.2 (-14 dB) are a louder second person or a caller who moved away from the phone. Each lowers the share, to
 * 0.3 (-10 dB) after 2.9 s of them, so that a caller who repeats the interruption gets the turn. The share is 0.4 again
 * once the caller is heard.
 */
const start = { share: 0.4, lowestShare: 0.3, countsFrom: 0.2, fading: 0.998 }
/** The average covers about the last second of speech. */
const averaging = 0.02
/**
 * Each voiced frame in the background lowers the level while the agent is silent, so that a caller who put the phone
 * down is heard again: after 5 s if they are 37 dB quieter than before. While the agent speaks the level stays: a person
 * who talks on behind the agent does not become the caller.
 */
const fading = 0.992

export function createCallerLevel(encoding: Encoding): CallerLevel {
  let level = 0
  let startShare = start.share
  return {
    isCaller(frame, over) {
      const samples = toSamples(frame, encoding)
      let energy = 0
      for (const sample of samples) energy += sample * sample
      const loudness = Math.sqrt(energy / samples.length)
      if (loudness < level * (over === 'starts' ? startShare : backgroundShare)) {
        if (!over) level *= fading
        else if (loudness >= level * start.countsFrom)
          startShare = Math.max(start.lowestShare, startShare * start.fading)
        return false
      }
      if (over !== 'starts') startShare = start.share
      level += (loudness - level) * (level === 0 ? 1 : averaging)
      return true
    },
  }
}
