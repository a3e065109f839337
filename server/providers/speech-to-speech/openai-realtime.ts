import { unopenedKey } from '../accounts/contract.ts'
import { messageOf, type OnFallback } from '../fallback/contract.ts'
import { standardAddresses } from '../llm/ai-sdk.ts'
import type { LlmObserver } from '../llm/observed.ts'
import { SpeechError, type Transcriber } from '../speech/contract.ts'
import type { NamedVoice } from '../speech/fallback-voice.ts'
import type { Speaker } from './contract.ts'
import type { RealtimeLimits } from './realtime-connection.ts'
import { createRealtimeModel } from './realtime-model.ts'
import { createRealtimeSession } from './realtime-session.ts'
import { createRealtimeTranscriber } from './realtime-transcriber.ts'
import { createRealtimeVoice } from './realtime-voice.ts'

export interface RealtimeAccount {
  /** `https://api.openai.com/v1`. */
  baseUrl: string
  apiKey: string | undefined
  /** Of agents that name none. */
  model: string
  /** Writes down what the caller says. */
  transcriberModel: string
}

interface RealtimeOptions {
  account: RealtimeAccount
  isOwnKey: boolean
  /** Why the account cannot be used. */
  fault: string | undefined
  /** The agent's choice. */
  model?: string | null | undefined
  voice?: string | null | undefined
  limits?: RealtimeLimits | undefined
  observe?: LlmObserver['observed'] | undefined
  onFallback: OnFallback
}

/** The account with the organization's own key, if it has one. Null for a key that cannot be opened. */
export function accountFor(
  account: RealtimeAccount,
  own: string | null | undefined,
): Pick<RealtimeOptions, 'account' | 'isOwnKey' | 'fault'> {
  const apiKey = own === undefined ? account.apiKey : (own ?? undefined)
  const needsKey = account.baseUrl === standardAddresses.openai
  const fault =
    own === null
      ? unopenedKey('openai')
      : !apiKey && needsKey
        ? 'There is no key for openai: add one under provider keys, or set OPENAI_API_KEY'
        : undefined
  return { account: { ...account, apiKey }, isOwnKey: own !== undefined, fault }
}

/** Shorter than what a caller accepts as silence: the pipeline has to start after it. */
const standardLimits: RealtimeLimits = { startMs: 2_500, firstOutputMs: 2_500, pauseMs: 5_000, transcriptMs: 2_500 }
const standardVoice = 'marin'
/** OpenAI's voices that only read texts. */
const readingVoices: ReadonlySet<string> = new Set(['fable', 'nova', 'onyx'])

/** One call's session of OpenAI's Realtime API, as a transcriber, a voice and a model. */
export function openRealtime(options: RealtimeOptions): {
  transcriber: Transcriber
  voice: NamedVoice
  speaker: Speaker
} {
  const { account, isOwnKey, fault, model, limits, observe = (answer) => answer, onFallback } = options
  const voice = options.voice && !readingVoices.has(options.voice) ? options.voice : standardVoice
  const session = createRealtimeSession({
    ...account,
    model: model || account.model,
    voice,
    isOwnKey,
    limits: limits ?? standardLimits,
    fault: fault === undefined ? undefined : new SpeechError('fail', fault),
  })
  const { stream } = createRealtimeModel(session)
  let isLossReported = false
  return {
    transcriber: createRealtimeTranscriber(session),
    voice: { voice: createRealtimeVoice(session), voiceName: voice },
    speaker: {
      stream: (request) => observe(stream(request), { ...request, provider: 'openai', model: session.model }),
      async unreported() {
        await session.connection.idle()
        return { ...session.tokens.total(), model: session.model, ...(isOwnKey && { isOwnKey }) }
      },
      replacedBy(to, error) {
        if (!isLossReported)
          onFallback({ stage: 'model', from: `openai/${session.model}`, to, message: messageOf(error) })
        isLossReported = session.connection.lost() !== undefined
      },
    },
  }
}
