import type { OutboundHttp } from '../../platform/outbound-fetch.ts'
import { type KeysOf, unopenedKey } from '../accounts/contract.ts'
import type { OnFallback } from '../fallback/contract.ts'
import type { LlmObserver } from '../llm/observed.ts'
import type { Speaker } from '../speech-to-speech/contract.ts'
import { accountFor, openRealtime, type RealtimeAccount } from '../speech-to-speech/openai-realtime.ts'
import type { RealtimeLimits } from '../speech-to-speech/realtime-connection.ts'
import { SpeechError, type Transcriber, type Voice, type VoiceActivity } from './contract.ts'
import { createFallbackTranscriber } from './fallback-transcriber.ts'
import { createFallbackVoice, type NamedVoice } from './fallback-voice.ts'
import { type HostedSpeech, hostedSpeech, type SpeechAccounts, unopenedSpeech, withOwnKeys } from './hosted-speech.ts'
import { createOfflineSpeech, type OfflineSpeech } from './offline.ts'
import { createVoiceLists } from './voice-lists.ts'
import { defaultVoice, findVoice, type OfferedVoice, type VoiceProvider, voiceProviders, voices } from './voices.ts'

interface SpeechOptions {
  http: OutboundHttp
  /** Processes that speak and recognise on this machine. */
  processes?: number
  /** The installation's accounts. */
  accounts: SpeechAccounts
  /** For speech-to-speech. */
  realtime: RealtimeAccount
  keysOf: KeysOf
  /** Counts and traces the answers of sessions. */
  observe?: LlmObserver['observed']
  /** Called for the fallbacks of every call. */
  onFallback?: OnFallback
  /** How long a provider may take while another one of its chain could be asked. */
  limits?: typeof standardLimits & { realtime?: RealtimeLimits }
}

/** To the first sound of a sentence, and to the transcript of a turn. A caller waits for either. */
const standardLimits = { firstAudioMs: 3_000, finishMs: 4_000 }

interface SpeechRequest {
  organizationId: string
  /** Test mode never leaves the machine. */
  livemode: boolean
  transcriber?: (TranscriberChoice & { fallbacks?: TranscriberChoice[] }) | null
  voice?: (VoiceChoice & { voice_id?: string | null; fallbacks?: VoiceChoice[] }) | null
  /** Given if one session is to hear, think and speak. The others take over if it fails. */
  speechToSpeech?: { model?: string | null | undefined; voice?: string | null | undefined } | undefined
  onFallback?: OnFallback
}

interface TranscriberChoice {
  provider?: string | null
  model?: string | null
}

interface VoiceChoice {
  provider?: string | null
  /** The provider's own name of the voice; null for the provider's first. */
  provider_voice_id?: string | null
}

export interface ChosenSpeech extends NamedVoice {
  transcriber: Transcriber
  voiceActivity: VoiceActivity
  /** The model of the session, with speech-to-speech. */
  speaker?: Speaker
}

/** All transcribers and voices of this installation. */
export interface Speech {
  offline: OfflineSpeech
  /** The requested ones where they are configured, otherwise the best that is available. */
  choose(request: SpeechRequest): Promise<ChosenSpeech>
  /** The voices with fixed ids that agents can use here. */
  offered(organizationId: string): Promise<OfferedVoice[]>
  /** The voices of the account at a provider; undefined without an account. Throws `SpeechError`. */
  listVoices(organizationId: string, provider: VoiceProvider): Promise<OfferedVoice[] | undefined>
  close(): Promise<void>
}

export function createSpeech({
  http,
  processes,
  accounts,
  realtime,
  keysOf,
  observe,
  onFallback = () => {},
  limits = standardLimits,
}: SpeechOptions): Speech {
  const offline = createOfflineSpeech(processes ? { processes } : {})
  const listOfAccount = createVoiceLists(http)

  async function speechOf(organizationId: string) {
    const own = await keysOf(organizationId)
    const all = withOwnKeys(accounts, own)
    const { transcribers, voices: hosted } = hostedSpeech(http, all, own)
    return {
      own,
      accounts: all,
      /** Chosen by name only. */
      unopened: unopenedSpeech(own, accounts),
      transcribers: { ...transcribers, local: () => offline.transcriber },
      voices: { ...hosted, local: offline.voice } as Partial<Record<VoiceProvider, Voice>>,
    }
  }

  return {
    offline,
    async choose({ organizationId, livemode, onFallback: onCallFallback = () => {}, ...request }) {
      const { transcriber, voice, speechToSpeech } = request
      const { voiceActivity } = offline
      if (!livemode) {
        const voiceName = localVoiceOf(voice)
        return { transcriber: offline.transcriber, voice: offline.voice, voiceName, voiceActivity }
      }
      const available = await speechOf(organizationId)
      const report: OnFallback = (fallback) => {
        onFallback(fallback)
        onCallFallback(fallback)
      }
      const session =
        speechToSpeech &&
        openRealtime({
          ...accountFor(realtime, available.own.openai),
          ...speechToSpeech,
          limits: limits.realtime,
          observe,
          onFallback: report,
        })
      const transcribers = transcriberChain(available, transcriber)
      const voices = voiceChain(available, voice)
      const options = { ...limits, onFallback: report }
      return {
        transcriber: createFallbackTranscriber(
          session ? [session.transcriber, ...transcribers] : transcribers,
          options,
        ),
        ...createFallbackVoice(session ? [session.voice, ...voices] : voices, options),
        voiceActivity,
        ...(session && { speaker: session.speaker }),
      }
    },
    async offered(organizationId) {
      const available = await speechOf(organizationId)
      return voices.filter(({ provider }) => available.voices[provider])
    },
    async listVoices(organizationId, provider) {
      const available = await speechOf(organizationId)
      if (available.unopened.voices[provider] && provider !== 'local')
        throw new SpeechError('fail', unopenedKey(provider))
      if (!available.voices[provider]) return undefined
      // Neither the local voices nor those of OpenAI's API can be listed.
      if (provider === 'local' || provider === 'openai') return voices.filter((each) => each.provider === provider)
      return listOfAccount(provider, available.accounts[provider])
    },
    close: () => offline.close(),
  }
}

function localVoiceOf(wished: SpeechRequest['voice']): string {
  const local = voices.filter(({ provider }) => provider === 'local')
  const named = wished?.provider === 'local' && local.find(({ voice }) => voice === wished.provider_voice_id)
  const found = named || local.find(({ id }) => id === wished?.voice_id)
  return (found || defaultVoice).voice
}

interface AvailableSpeech extends HostedSpeech {
  unopened: HostedSpeech
}

/** The requested one and its fallbacks, as far as they are configured here; else the best. */
function transcriberChain(
  { transcribers: available, unopened }: AvailableSpeech,
  wished: SpeechRequest['transcriber'],
): [Transcriber, ...Transcriber[]] {
  // A model name is only valid with the provider it was given for.
  const chain = [wished, ...(wished?.fallbacks ?? [])].flatMap((choice) => {
    const create = choice?.provider ? (available[choice.provider] ?? unopened.transcribers[choice.provider]) : undefined
    return create ? [create(choice?.model)] : []
  })
  if (chain.length === 0 || !wished?.provider) chain.unshift((Object.values(available)[0] as () => Transcriber)())
  return chain as [Transcriber, ...Transcriber[]]
}

/** The same for voices. */
function voiceChain(
  { voices: available, unopened }: AvailableSpeech,
  wished: SpeechRequest['voice'],
): [NamedVoice, ...NamedVoice[]] {
  const byProvider = ({ provider, provider_voice_id }: VoiceChoice): NamedVoice | undefined => {
    const voice = available[provider as VoiceProvider] ?? unopened.voices[provider as VoiceProvider]
    const voiceName = provider_voice_id || voices.find((each) => each.provider === provider)?.voice
    return voice && voiceName ? { voice, voiceName } : undefined
  }
  const byId = (id: string | null | undefined): NamedVoice | undefined => {
    const found = id ? findVoice(id) : undefined
    return found && byProvider({ provider: found.provider, provider_voice_id: found.voice })
  }
  const best = () => byProvider({ provider: voiceProviders.find((each) => available[each]) as string }) as NamedVoice
  const named = wished?.provider_voice_id ? byProvider(wished) : undefined
  const first = named ?? byId(wished?.voice_id) ?? (wished?.provider ? byProvider(wished) : undefined)
  const others = (wished?.fallbacks ?? []).flatMap((choice) => byProvider(choice) ?? [])
  return first
    ? [first, ...others]
    : others.length > 0 && wished?.provider
      ? (others as [NamedVoice])
      : [best(), ...others]
}
