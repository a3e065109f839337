import type { OutboundHttp } from '../../platform/outbound-fetch.ts'
import type { ProviderKeys } from '../accounts/contract.ts'
import { createCartesiaTranscriber } from './cartesia-transcriber.ts'
import { createCartesiaVoice } from './cartesia-voice.ts'
import type { Transcriber, Voice } from './contract.ts'
import { createDeepgram } from './deepgram.ts'
import { createElevenLabs } from './elevenlabs.ts'
import { createOpenAiTranscriber, createOpenAiVoice } from './openai-compatible.ts'
import type { VoiceProvider } from './voices.ts'

/** Accounts at providers of speech. One without a key cannot be used, except a server that needs none. */
export interface SpeechAccounts {
  deepgram: { baseUrl: string; apiKey?: string | undefined; model: string }
  elevenlabs: { baseUrl: string; apiKey?: string | undefined; model: string }
  cartesia: { baseUrl: string; apiKey?: string | undefined; transcriberModel: string; voiceModel: string }
  openai: {
    baseUrl: string
    apiKey?: string | undefined
    transcriberModel: string
    voiceModel: string
    /** Whether the installation offers it to organizations without a key of their own. */
    isOffered: boolean
    /** Whether an organization's key for OpenAI is meant for this server. */
    takesOwnKey: boolean
  }
}

/** The same accounts with the organization's own keys. */
export function withOwnKeys(accounts: SpeechAccounts, own: ProviderKeys): SpeechAccounts {
  const { deepgram, elevenlabs, cartesia, openai } = accounts
  return {
    deepgram: { ...deepgram, apiKey: own.deepgram ?? deepgram.apiKey },
    elevenlabs: { ...elevenlabs, apiKey: own.elevenlabs ?? elevenlabs.apiKey },
    cartesia: { ...cartesia, apiKey: own.cartesia ?? cartesia.apiKey },
    openai: own.openai && openai.takesOwnKey ? { ...openai, apiKey: own.openai, isOffered: true } : openai,
  }
}

interface HostedSpeech {
  /** By provider, the best first. */
  transcribers: Record<string, (model: string | null | undefined) => Transcriber>
  voices: Partial<Record<VoiceProvider, Voice>>
}

/** What can be used with these accounts. Each has connections of its own, so a call gets a new one. */
export function hostedSpeech(
  http: OutboundHttp,
  { deepgram, elevenlabs, cartesia, openai }: SpeechAccounts,
  own: ProviderKeys,
): HostedSpeech {
  const hasKey = <A extends { apiKey?: string | undefined }>(account: A): account is A & { apiKey: string } =>
    account.apiKey !== undefined
  const paid = <T extends Transcriber | Voice>(made: T, isOwnKey: boolean): T =>
    isOwnKey ? { ...made, isOwnKey } : made
  const ownOpenAi = own.openai !== undefined && openai.takesOwnKey
  return {
    transcribers: {
      ...(hasKey(deepgram) && {
        deepgram: (model) =>
          paid(createDeepgram({ ...deepgram, model: model || deepgram.model }), own.deepgram !== undefined),
      }),
      ...(hasKey(cartesia) && {
        cartesia: (model) =>
          paid(
            createCartesiaTranscriber({ ...cartesia, model: model || cartesia.transcriberModel }),
            own.cartesia !== undefined,
          ),
      }),
      ...(openai.isOffered && {
        openai: (model) =>
          paid(createOpenAiTranscriber({ http, ...openai, model: model || openai.transcriberModel }), ownOpenAi),
      }),
    },
    voices: {
      ...(hasKey(elevenlabs) && {
        elevenlabs: paid(createElevenLabs({ http, ...elevenlabs }), own.elevenlabs !== undefined),
      }),
      ...(hasKey(cartesia) && {
        cartesia: paid(createCartesiaVoice({ ...cartesia, model: cartesia.voiceModel }), own.cartesia !== undefined),
      }),
      ...(openai.isOffered && {
        openai: paid(createOpenAiVoice({ http, ...openai, model: openai.voiceModel }), ownOpenAi),
      }),
    },
  }
}
