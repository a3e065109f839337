import type { OutboundHttp } from '../../platform/outbound-fetch.ts'
import type { Transcriber, Voice, VoiceActivity } from './contract.ts'
import { createDeepgram } from './deepgram.ts'
import { createElevenLabs } from './elevenlabs.ts'
import { createOfflineSpeech, type OfflineSpeech } from './offline.ts'
import { createOpenAiTranscriber, createOpenAiVoice } from './openai-compatible.ts'
import { defaultVoice, findVoice, type OfferedVoice, voices } from './voices.ts'

export interface SpeechOptions {
  http: OutboundHttp
  /** Processes that speak and recognise on this machine. */
  processes?: number
  deepgram?: { baseUrl: string; apiKey: string; model: string } | undefined
  openai?: { baseUrl: string; apiKey?: string | undefined; transcriberModel: string; voiceModel: string } | undefined
  elevenlabs?: { baseUrl: string; apiKey: string; model: string } | undefined
}

interface SpeechRequest {
  /** Test mode never leaves the machine. */
  livemode: boolean
  transcriber?: { provider?: string | null; model?: string | null } | null
  voiceId?: string | null | undefined
}

interface ChosenSpeech {
  transcriber: Transcriber
  voice: Voice
  /** The provider's own name of the voice. */
  voiceName: string
  voiceActivity: VoiceActivity
}

/** All transcribers and voices of this installation. */
export interface Speech {
  offline: OfflineSpeech
  /** The requested one where it is configured, otherwise the best that is available. */
  choose(request: SpeechRequest): ChosenSpeech
  /** The voices that agents can use here. */
  offered(): OfferedVoice[]
  close(): Promise<void>
}

export function createSpeech({ http, processes, deepgram, openai, elevenlabs }: SpeechOptions): Speech {
  const offline = createOfflineSpeech(processes ? { processes } : {})
  const transcribers: Record<string, (model: string | null | undefined) => Transcriber> = {
    ...(deepgram && { deepgram: (model) => createDeepgram({ ...deepgram, model: model || deepgram.model }) }),
    ...(openai && {
      openai: (model) => createOpenAiTranscriber({ http, ...openai, model: model || openai.transcriberModel }),
    }),
    local: () => offline.transcriber,
  }
  const hostedVoices: Partial<Record<OfferedVoice['provider'], Voice>> = {
    local: offline.voice,
    ...(openai && { openai: createOpenAiVoice({ http, ...openai, model: openai.voiceModel }) }),
    ...(elevenlabs && { elevenlabs: createElevenLabs({ http, ...elevenlabs }) }),
  }

  return {
    offline,
    choose({ livemode, transcriber: wished, voiceId }) {
      const { voiceActivity } = offline
      const found = voiceId ? findVoice(voiceId) : undefined
      if (!livemode) {
        const { voice } = found?.provider === 'local' ? found : defaultVoice
        return { transcriber: offline.transcriber, voice: offline.voice, voiceName: voice, voiceActivity }
      }
      const named = wished?.provider ? transcribers[wished.provider] : undefined
      // A model name is only valid with the provider it was given for.
      const transcriber = named ? named(wished?.model) : (Object.values(transcribers)[0] as () => Transcriber)()
      const speaker = found && hostedVoices[found.provider]
      const chosen = found && speaker ? { voice: speaker, voiceName: found.voice } : firstVoice(hostedVoices)
      return { transcriber, voiceActivity, ...chosen }
    },
    offered: () => voices.filter(({ provider }) => hostedVoices[provider]),
    close: () => offline.close(),
  }
}

/** The best voice for an agent that has not chosen one. */
function firstVoice(hosted: Partial<Record<OfferedVoice['provider'], Voice>>): { voice: Voice; voiceName: string } {
  const provider = (['elevenlabs', 'openai', 'local'] as const).find((each) => hosted[each]) as OfferedVoice['provider']
  const { voice } = voices.find((each) => each.provider === provider) as OfferedVoice
  return { voice: hosted[provider] as Voice, voiceName: voice }
}
