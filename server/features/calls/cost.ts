import type { StoredUsage } from './finish-queries.ts'
import type { CostBreakdown } from './schema.ts'

/** What things cost, in USD. From the settings: what a carrier or a model really charges is in the contract with it. */
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
  /** Of the model that wrote the summary. */
  summary: { inputTokens: number; outputTokens: number }
}

/** The carrier counts every minute that began; the rest is counted as used. */
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

/** As exact as the column that keeps it. */
const rounded = (usd: number) => Math.round(usd * 1e6) / 1e6
