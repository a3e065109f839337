import type { StoredUsage } from './finish-queries.ts'
import type { CostBreakdown } from './schema.ts'

/** Prices in USD from the settings. Actual prices depend on the contracts with the carrier and the providers. */
export interface Rates {
  telephonyPerMinute: number
  transcriptionPerMinute: number
  voicePerThousandCharacters: number
  llmPerMillionInputTokens: number
  llmPerMillionOutputTokens: number
}

interface Used {
  medium: string
  durationSeconds: number
  usage: StoredUsage | null
  /** Tokens used by the model that wrote the summary. */
  summary: { inputTokens: number; outputTokens: number }
}

/** Carriers bill started minutes; everything else is billed by exact usage. */
export function costOf({ medium, durationSeconds, usage, summary }: Used, rates: Rates): CostBreakdown {
  const minutes = medium === 'phone' ? Math.ceil(durationSeconds / 60) : 0
  const inputTokens = (usage?.model.inputTokens ?? 0) + summary.inputTokens
  const outputTokens = (usage?.model.outputTokens ?? 0) + summary.outputTokens
  return {
    telephony: rounded(minutes * rates.telephonyPerMinute),
    transcription: rounded(((usage?.transcriber.audioSeconds ?? 0) / 60) * rates.transcriptionPerMinute),
    voice: rounded(((usage?.voice.characters ?? 0) / 1000) * rates.voicePerThousandCharacters),
    llm: rounded(
      (inputTokens * rates.llmPerMillionInputTokens + outputTokens * rates.llmPerMillionOutputTokens) / 1_000_000,
    ),
  }
}

export const totalOf = (cost: CostBreakdown): number =>
  rounded(cost.telephony + cost.transcription + cost.voice + cost.llm)

/** Six decimals, like the database column. */
const rounded = (usd: number) => Math.round(usd * 1e6) / 1e6
