import { type Encoding, frameMs } from '../../../providers/speech/contract.ts'
import { createLoudnessDetector } from '../../../providers/speech/voice-activity.ts'
import type { TurnLatency } from './contract.ts'

/**
 * Measures in the frames of the recording how long the caller waits for an answer: from the end of the caller's sound to
 * the start of the agent's. Unlike the latency by stage, it includes silence at the start of the agent's audio and what
 * the voice detector took for speech after the caller's last word.
 */
interface HeardLatency {
  /** One frame per track, as recorded. `turn` is the last turn that the agent has started to answer. */
  write(caller: Uint8Array | undefined, agent: Uint8Array | undefined, turn: TurnLatency | undefined): void
}

export async function measureHeardLatency(encoding: Encoding): Promise<HeardLatency> {
  const loudness = createLoudnessDetector()
  const [ofCaller, ofAgent] = await Promise.all([loudness.open(encoding), loudness.open(encoding)])
  let now = 0
  let callerSoundedUntil: number | undefined
  let measured: TurnLatency | undefined
  return {
    write(caller, agent, turn) {
      now += frameMs
      if (caller && ofCaller.isSpeech(caller)) callerSoundedUntil = now
      const answers = agent && ofAgent.isSpeech(agent)
      if (!answers || !turn || turn === measured) return
      measured = turn
      if (callerSoundedUntil !== undefined) turn.heardMs = Math.max(0, now - frameMs - callerSoundedUntil)
    },
  }
}
