import type { api as types } from '@frontdesk/sdk'
import { newKey } from './row-keys.ts'

/** The fallback chains of an agent in its form. */
export interface FallbackRow {
  key: string
  provider: string
  /** The model, or the provider's id of the voice; empty for the provider's default. */
  choice: string
}

export type ChainName = 'models' | 'transcribers' | 'voices'
export type FallbackValues = Record<`fallback_${ChainName}`, FallbackRow[]>

export const newFallbackValues = (): FallbackValues => ({
  fallback_models: [],
  fallback_transcribers: [],
  fallback_voices: [],
})

export function fallbackValuesOf({ fallbacks }: types.AgentConfig): FallbackValues {
  const row = (provider: string, choice: string | null | undefined) => ({
    key: newKey(),
    provider,
    choice: choice ?? '',
  })
  return {
    fallback_models: fallbacks.models.map(({ provider, model }) => row(provider, model)),
    fallback_transcribers: fallbacks.transcribers.map(({ provider, model }) => row(provider, model)),
    fallback_voices: fallbacks.voices.map(({ provider, provider_voice_id }) => row(provider, provider_voice_id)),
  }
}

type Model = types.AgentModelFallback
type Transcriber = types.AgentTranscriberFallback
type Voice = types.AgentVoiceFallback

export const fallbackInputOf = (values: FallbackValues) => ({
  fallbacks: {
    models: values.fallback_models.map(({ provider, choice }) => ({
      provider: provider as Model['provider'],
      model: choice.trim(),
    })),
    transcribers: values.fallback_transcribers.map(({ provider, choice }) => ({
      provider: provider as Transcriber['provider'],
      ...(choice.trim() && { model: choice.trim() }),
    })),
    voices: values.fallback_voices.map(({ provider, choice }) => ({
      provider: provider as Voice['provider'],
      ...(choice.trim() && { provider_voice_id: choice.trim() }),
    })),
  },
})

/** `fallback_models.0.choice` for `models.0.model`. */
export const fallbackFieldOf = ([chain, index, member]: string[]): string =>
  [`fallback_${chain}`, index, index !== undefined && (member === 'provider' ? 'provider' : 'choice')]
    .filter(Boolean)
    .join('.')
