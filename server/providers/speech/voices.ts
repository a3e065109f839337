/**
 * The voices on offer. `id` is the value of `voice_settings.voice_id` and never changes; `voice` is the provider's
 * name.
 */
export interface OfferedVoice {
  id: string
  name: string
  provider: VoiceProvider
  language: string
  voice: string
  description?: string
  /** A recording of the voice that anyone can play. */
  previewUrl?: string
}

export const voiceProviders = ['elevenlabs', 'cartesia', 'openai', 'local'] as const
export type VoiceProvider = (typeof voiceProviders)[number]

export const voices: readonly OfferedVoice[] = [
  offer('5a1f0c5e-6f0e-4c39-9d0a-3f4f8f1d0001', 'Susan', 'local', 'en-US', 'slt'),
  offer('5a1f0c5e-6f0e-4c39-9d0a-3f4f8f1d0002', 'Alan', 'local', 'en-GB', 'awb'),
  offer('5a1f0c5e-6f0e-4c39-9d0a-3f4f8f1d0003', 'Robert', 'local', 'en-US', 'rms'),
  offer('5a1f0c5e-6f0e-4c39-9d0a-3f4f8f1d0101', 'Alloy', 'openai', 'multilingual', 'alloy'),
  offer('5a1f0c5e-6f0e-4c39-9d0a-3f4f8f1d0102', 'Coral', 'openai', 'multilingual', 'coral'),
  offer('5a1f0c5e-6f0e-4c39-9d0a-3f4f8f1d0103', 'Sage', 'openai', 'multilingual', 'sage'),
  offer('5a1f0c5e-6f0e-4c39-9d0a-3f4f8f1d0104', 'Onyx', 'openai', 'multilingual', 'onyx'),
  offer('5a1f0c5e-6f0e-4c39-9d0a-3f4f8f1d0201', 'Rachel', 'elevenlabs', 'multilingual', '21m00Tcm4TlvDq8ikWAM'),
  offer('5a1f0c5e-6f0e-4c39-9d0a-3f4f8f1d0202', 'Adam', 'elevenlabs', 'multilingual', 'pNInz6obpgDQGcFmaJgB'),
  offer(
    '5a1f0c5e-6f0e-4c39-9d0a-3f4f8f1d0301',
    'Katie',
    'cartesia',
    'multilingual',
    'f786b574-daa5-4673-aa0c-cbe3e8534c02',
  ),
]

/** The voice of an agent that has not chosen one. */
export const defaultVoice = voices[0] as OfferedVoice

export const findVoice = (id: string): OfferedVoice | undefined => voices.find((voice) => voice.id === id)

function offer(id: string, name: string, provider: VoiceProvider, language: string, voice: string): OfferedVoice {
  return { id, name, provider, language, voice }
}
