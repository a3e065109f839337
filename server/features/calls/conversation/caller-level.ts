import { loudnessOf, toSamples } from '../../../providers/speech/audio.ts'
import { type Encoding, frameMs } from '../../../providers/speech/contract.ts'

/**
 * Tells the caller from people in the background, and from a faint echo of the agent, by their loudness.
 *
 * `level` follows how loud the caller is. A voiced frame is the caller's if it reaches a share of that level. The share
 * depends on the moment. In silence a small share starts a turn. While the agent speaks, or right after the caller, an
 * echo or a second person is likely and the share is larger. Frames that are refused lower that share, and the level
 * while the agent is silent, so that a caller who has become quieter is heard again.
 */
interface CallerLevel {
  /** Whether a voiced frame is loud enough to be the caller's. The first speech on a call always is. */
  isCaller(frame: Uint8Array, at: FrameMoment): boolean
  /** Call for each frame without a voice. */
  pause(): void
}

/** When a frame arrives. */
interface FrameMoment {
  /** It is part of a turn; otherwise it would start one. */
  inTurn: boolean
  agentSpeaks: boolean
}

/** A sound in a silent moment is background below a tenth (-20 dB) of the caller's average level. */
const backgroundShare = 0.1
/** The same within the caller's turn, so that a second person does not prolong it: -18 dB. */
const turnShare = 0.125
/**
 * A sound that starts while the agent speaks, or that follows the caller's turn, needs a larger share: 0.4 (-8 dB) at
 * first. Refused frames above 0.2 (-14 dB) are a louder second person or a caller who moved away from the phone. Each
 * lowers the share, to 0.3 (-10 dB) after 2.9 s of them, so that a caller who repeats the interruption gets the turn. The
 * share is 0.4 again once the caller is heard.
 */
const doubtful = { share: 0.4, lowestShare: 0.3, countsFrom: 0.2, fading: 0.998 }
/**
 * Voices follow the caller's turn until the line has been without any for this long: a second person talks on, a caller
 * waits for the answer.
 */
const separateMs = 3_000
/** The average covers about the last second of speech. */
const averaging = 0.02
/**
 * While the agent is silent, the first frames of a turn count more if they are quieter: the caller may have moved. Louder
 * ones do not: a knock would raise the level above the caller's voice.
 */
const startAveraging = 0.2
/**
 * Each voiced frame in the background lowers the level while the agent is silent, so that a caller who put the phone
 * down is heard again: after 5 s if they are 37 dB quieter than before. While the agent speaks the level stays: a person
 * who talks on behind the agent does not become the caller.
 */
const levelFading = 0.992
/** What follows the caller's turn may be a second person: it lowers the level only after 3 s of it, but then faster. */
const following = { fromMs: 3_000, fading: 0.97 }

export function createCallerLevel(encoding: Encoding): CallerLevel {
  /** The caller's average loudness; 0 before the first speech. */
  let level = 0
  let doubtfulShare = doubtful.share
  /** Since the last voice, of the caller or of a person in the background. */
  let pausedMs = 0
  /** Voices since the caller's turn may be a second person. */
  let followsTurn = false
  /** Of voiced frames that followed the caller's turn and were too quiet. */
  let refusedMs = 0

  function shareFor({ inTurn, agentSpeaks }: FrameMoment): number {
    if (inTurn) return agentSpeaks ? backgroundShare : turnShare
    return agentSpeaks || followsTurn ? doubtfulShare : backgroundShare
  }

  /** Adapts to a voiced frame that was too quiet. */
  function refuse(loudness: number, agentSpeaks: boolean): void {
    const mayBeCaller = loudness >= level * doubtful.countsFrom
    if (mayBeCaller) doubtfulShare = Math.max(doubtful.lowestShare, doubtfulShare * doubtful.fading)
    if (agentSpeaks) return
    if (followsTurn) refusedMs += frameMs
    if (!followsTurn) level *= levelFading
    else if (refusedMs > following.fromMs) level *= following.fading
  }

  return {
    isCaller(frame, at) {
      pausedMs = 0
      const loudness = loudnessOf(toSamples(frame, encoding))
      if (loudness < level * shareFor(at)) {
        refuse(loudness, at.agentSpeaks)
        return false
      }
      if (at.inTurn) {
        doubtfulShare = doubtful.share
        followsTurn = true
        refusedMs = 0
      }
      const isQuieter = loudness < level && !at.inTurn && !at.agentSpeaks
      const weight = isQuieter ? startAveraging : averaging
      level += (loudness - level) * (level === 0 ? 1 : weight)
      return true
    },
    pause() {
      pausedMs += frameMs
      if (pausedMs >= separateMs) followsTurn = false
    },
  }
}
