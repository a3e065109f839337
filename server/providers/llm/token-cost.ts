export interface TokenUsage {
  inputTokens: number
  outputTokens: number
  /** The part of them that is speech. */
  audioInputTokens?: number
  audioOutputTokens?: number
}

/** Prices in USD. */
export interface TokenRates {
  llmPerMillionInputTokens: number
  llmPerMillionOutputTokens: number
  /** Of models that hear and speak. */
  speechPerMillionInputTokens: number
  speechPerMillionOutputTokens: number
}

/** The estimated cost in USD. */
export function costOfTokens(tokens: TokenUsage, rates: TokenRates): number {
  const { inputTokens, outputTokens, audioInputTokens: heard = 0, audioOutputTokens: spoken = 0 } = tokens
  const written =
    (inputTokens - heard) * rates.llmPerMillionInputTokens + (outputTokens - spoken) * rates.llmPerMillionOutputTokens
  const speech = heard * rates.speechPerMillionInputTokens + spoken * rates.speechPerMillionOutputTokens
  return (written + speech) / 1_000_000
}
