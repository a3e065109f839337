import type { OutboundHttp } from '../../platform/outbound-fetch.ts'
import { type AccountProvider, accountProviders, type ProviderKeys, unopenedKey } from '../accounts/contract.ts'
import { createCartesiaTranscriber } from './cartesia-transcriber.ts'
import { createCartesiaVoice } from './cartesia-voice.ts'
import { SpeechError, type Transcriber, type Voice } from './contract.ts'
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
    deepgram: { ...deepgram, apiKey: keyFor(own.deepgram, deepgram) },
    elevenlabs: { ...elevenlabs, apiKey: keyFor(own.elevenlabs, elevenlabs) },
    cartesia: { ...cartesia, apiKey: keyFor(own.cartesia, cartesia) },
    openai:
      own.openai !== undefined && openai.takesOwnKey
        ? { ...openai, apiKey: own.openai ?? undefined, isOffered: own.openai !== null }
        : openai,
  }
}

/** None if the organization's own key cannot be opened. */
const keyFor = (own: string | null | undefined, installed: { apiKey?: string | undefined }) =>
  own === null ? undefined : (own ?? installed.apiKey)

export interface HostedSpeech {
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

/** Stands in for a provider whose own key cannot be opened, so that an agent which asks for it fails with the reason. */
export function unopenedSpeech(own: ProviderKeys, { openai }: SpeechAccounts): HostedSpeech {
  const isUnopened = (provider: AccountProvider) =>
    own[provider] === null && (provider !== 'openai' || openai.takesOwnKey)
  const faultOf = (provider: AccountProvider) => new SpeechError('fail', unopenedKey(provider))
  const transcriber = (provider: AccountProvider): Transcriber => ({
    provider,
    model: '',
    source: 'recognised',
    open: () => ({
      write() {},
      pause: () => undefined,
      finish: () => Promise.reject(faultOf(provider)),
      discard() {},
      close() {},
    }),
  })
  const voice = (provider: AccountProvider): Voice => ({
    provider,
    model: '',
    // biome-ignore lint/correctness/useYield: it fails before its first audio.
    async *speak() {
      throw faultOf(provider)
    },
  })
  return {
    transcribers: Object.fromEntries(
      accountProviders.filter(isUnopened).map((provider) => [provider, () => transcriber(provider)]),
    ),
    voices: Object.fromEntries(accountProviders.filter(isUnopened).map((provider) => [provider, voice(provider)])),
  }
}
