import { toSamples } from './audio.ts'
import { type Encoding, frameMs, sampleRateOf, type VoiceActivity } from './contract.ts'
import type { DetectionScorer } from './detection-scorer.ts'
import { chunkMs } from './silero.ts'

/** Scores of Silero from which sound becomes speech, and below which it is none any more. */
const speechFrom = 0.6
const speechUntil = 0.35
/** Low scores in a row that overrule the first detector. One can be the gap before a plosive. */
const lowScores = 2
/** Frames before the sound from which Silero gets to know the background: 100 ms. */
const contextFrames = 5
/** Chunks are scored until this long after the first detector's last speech. */
const followMs = 400
/** Sound after this much quiet is a new one. */
const newSoundMs = 100
/** With more chunks without a score than this (128 ms), the machine is too slow, and the first detector decides alone. */
const maxBehind = 4
/** With as many (one second), none are sent until scores arrive: the process must not fall behind for good. */
const mostBehind = 32

/**
 * Two detectors: `likely` is cheap and takes steady noise for speech; Silero, in another process, confirms or overrules
 * it a few frames later. Silero scores only sound that is likely to be speech, so quiet lines cost nothing.
 */
export function createConfirmedActivity(likely: VoiceActivity, scorer: DetectionScorer): VoiceActivity {
  return {
    async open(encoding) {
      const first = await likely.open(encoding)
      let chunksOf = createChunker(encoding)
      /** The last frames before the sound. */
      const held: Uint8Array[] = []
      let followForMs = 0
      /** Since the first detector's last speech. */
      let quietMs = newSoundMs
      /** Chunks without a score yet. They stay so if the process is lost. */
      let behind = 0
      /** How many of the next scores are about an earlier sound, or about the time before this one. */
      let ignored = 0
      let low = 0
      let isVoice = true
      const scored = scorer.open(sampleRateOf[encoding], (score) => {
        behind--
        if (ignored > 0) {
          ignored--
          return
        }
        low = score < speechUntil ? low + 1 : 0
        if (score >= speechFrom) isVoice = true
        else if (low >= lowScores) isVoice = false
      })
      let isFirstChunk = true

      function send(frame: Uint8Array): void {
        if (behind > mostBehind) {
          isFirstChunk = true
          return
        }
        for (const samples of chunksOf(toSamples(frame, encoding))) {
          scored.send(samples, isFirstChunk)
          isFirstChunk = false
          behind++
        }
      }

      function startFollowing(): void {
        chunksOf = createChunker(encoding)
        isFirstChunk = true
        for (const frame of held.splice(0)) send(frame)
      }

      /** A new sound is speech until scores say otherwise: Silero is right, but later than the first detector. */
      function giveBenefitOfDoubt(): void {
        isVoice = true
        low = 0
        ignored = behind
      }

      return {
        ...(first.overhangMs !== undefined && { overhangMs: first.overhangMs }),
        isSpeech(frame) {
          const isLikely = first.isSpeech(frame)
          if (isLikely && followForMs === 0) startFollowing()
          if (isLikely && quietMs >= newSoundMs) giveBenefitOfDoubt()
          quietMs = isLikely ? 0 : quietMs + frameMs
          followForMs = isLikely ? followMs : Math.max(0, followForMs - frameMs)
          if (followForMs > 0) send(frame)
          else if (held.push(frame) > contextFrames) held.shift()
          return isLikely && (isVoice || behind > maxBehind)
        },
        close() {
          first.close()
          scored.close()
        },
      }
    },
  }
}

/** Samples in, as many whole chunks as there are out. */
function createChunker(encoding: Encoding): (samples: Int16Array) => Int16Array[] {
  const length = (sampleRateOf[encoding] * chunkMs) / 1000
  let chunk = new Int16Array(length)
  let filled = 0
  return (samples) => {
    const whole: Int16Array[] = []
    for (let at = 0; at < samples.length; ) {
      const part = samples.subarray(at, at + length - filled)
      chunk.set(part, filled)
      filled += part.length
      at += part.length
      if (filled < length) break
      whole.push(chunk)
      chunk = new Int16Array(length)
      filled = 0
    }
    return whole
  }
}
