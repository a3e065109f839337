import type { TokenUsage } from '../llm/token-cost.ts'
import type { Message } from './realtime-connection.ts'

interface Usage {
  input_tokens?: number
  output_tokens?: number
  input_token_details?: { audio_tokens?: number }
  output_token_details?: { audio_tokens?: number }
}

/** The tokens of a response, from its `response.done`. */
export function tokensIn(message: Message | undefined): Required<TokenUsage> {
  const { usage } = (message?.response ?? {}) as { usage?: Usage | null }
  return {
    inputTokens: usage?.input_tokens ?? 0,
    outputTokens: usage?.output_tokens ?? 0,
    audioInputTokens: usage?.input_token_details?.audio_tokens ?? 0,
    audioOutputTokens: usage?.output_token_details?.audio_tokens ?? 0,
  }
}

/**
 * Counts what the account is charged for and no `done` of the model tells: answers that the caller interrupted, that were
 * started early and discarded, or that failed. Their `response.done` has the tokens, but comes after the answer was left.
 */
export interface UnreportedTokens {
  used(message: Message): void
  reported(message: Message | undefined): void
  total(): TokenUsage
}

export function countUnreported(): UnreportedTokens {
  const total = tokensIn(undefined)
  const add = (message: Message | undefined, sign: 1 | -1) => {
    const tokens = tokensIn(message)
    for (const kind of Object.keys(tokens) as (keyof typeof tokens)[]) total[kind] += sign * tokens[kind]
  }
  return {
    used: (message) => add(message, 1),
    reported: (message) => add(message, -1),
    total: () => ({ ...total }),
  }
}
