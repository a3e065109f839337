import type { Fallback } from '../../../providers/fallback/contract.ts'
import type { TokenUsage } from '../../../providers/llm/token-cost.ts'
import type { ChosenSpeech } from '../../../providers/speech/speech.ts'
import type { Speaker } from '../../../providers/speech-to-speech/contract.ts'
import { addUsage } from '../../agents/answering/add-usage.ts'
import type { Usage } from '../../agents/answering/turn.ts'
import type { CallConverse, ConversationEvent } from '../conversation/contract.ts'
import { addTokens } from '../conversation/token-usage.ts'

/** A provider that took over for another during the call. */
interface CallFallback extends Fallback {
  /** Seconds since the start of the call. */
  at: number
}

/** What the organization's own accounts pay for. */
interface OwnKeyUsage extends TokenUsage {
  transcriber: boolean
  voice: boolean
}

/** Records which providers served a call: fallbacks, and the use of the organization's own keys. */
export function trackProviders(onEvent?: (event: ConversationEvent) => void) {
  const beganAt = performance.now()
  const fallbacks: CallFallback[] = []
  const tokens: TokenUsage = { inputTokens: 0, outputTokens: 0 }
  return {
    onFallback(fallback: Fallback) {
      const at = Math.round(performance.now() - beganAt) / 1000
      fallbacks.push({ ...fallback, at })
      onEvent?.({ type: 'stage.fallback', at, ...fallback })
    },
    /** Counts the tokens of the turns. */
    meter: (converse: CallConverse): CallConverse =>
      async function* metered(turn) {
        for await (const event of converse(turn)) {
          if (event.type === 'done' && event.usage.own_key) addTokens(tokens, event.usage.own_key)
          yield event
        }
      },
    /** Adds what a speech-to-speech session has used without a turn that tells. */
    async addUnreported(total: TokenUsage, speaker: Speaker | undefined): Promise<void> {
      const usage = await speaker?.unreported()
      if (!usage) return
      const used: Usage = { input_tokens: 0, output_tokens: 0, model: '' }
      addUsage(used, usage)
      addTokens(total, used)
      if (used.own_key) addTokens(tokens, used.own_key)
    },
    /** At the end of the call. A call that changed providers counts as served by the last one. */
    result: ({ transcriber, voice }: Pick<ChosenSpeech, 'transcriber' | 'voice'>) => ({
      fallbacks,
      ownKeys: { transcriber: transcriber.isOwnKey ?? false, voice: voice.isOwnKey ?? false, ...tokens } as OwnKeyUsage,
    }),
  }
}

export type CallProviders = ReturnType<ReturnType<typeof trackProviders>['result']>
