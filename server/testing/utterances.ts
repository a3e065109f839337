import { createFramer } from '../providers/speech/audio.ts'
import { mulawSilence } from '../providers/speech/mulaw.ts'

/** The silence between two utterances. */
const gapFrames = 20
const quietest = 0x78

/** Splits a noise-free mu-law recording at its silences. */
export function utterances(audio: Uint8Array): Buffer[] {
  const found: Uint8Array[][] = []
  let gap = gapFrames
  for (const frame of createFramer('mulaw-8000')(audio)) {
    const silent = frame.every((byte) => byte === mulawSilence || (byte & 0x7f) >= quietest)
    if (!silent && gap >= gapFrames) found.push([])
    gap = silent ? gap + 1 : 0
    if (gap < gapFrames) found.at(-1)?.push(frame)
  }
  return found.map((frames) => Buffer.concat(frames))
}
