import { costOfTokens, type TokenRates, type TokenUsage } from '../../providers/llm/token-cost.ts'
import type { StoredUsage } from './ending/finish-queries.ts'
import type { CostBreakdown } from './ending/schema.ts'

/** Prices in USD from the settings. Actual prices depend on the contracts with the carrier and the providers. */
export interface Rates extends TokenRates {
  telephonyPerMinute: number
  transcriptionPerMinute: number
  voicePerThousandCharacters: number
}

interface Used {
  medium: string
  durationSeconds: number
  usage: StoredUsage | null
  /** Tokens used by the model that wrote the summary. */
  summary: TokenUsage & { ownKey?: TokenUsage }
}

/** Carriers bill started minutes; everything else is billed by exact usage. */
export function costOf({ medium, durationSeconds, usage, summary }: Used, rates: Rates): CostBreakdown {
  const minutes = medium === 'phone' ? Math.ceil(durationSeconds / 60) : 0
  const llm = (...used: (TokenUsage | undefined)[]) =>
    used.reduce((sum, tokens) => sum + (tokens ? costOfTokens(tokens, rates) : 0), 0)
  const transcription = ((usage?.transcriber.audioSeconds ?? 0) / 60) * rates.transcriptionPerMinute
  const voice = ((usage?.voice.characters ?? 0) / 1000) * rates.voicePerThousandCharacters
  const own = usage?.ownKeys
  const ownKeys = (own?.transcriber ? transcription : 0) + (own?.voice ? voice : 0) + llm(own, summary.ownKey)
  return {
    telephony: rounded(minutes * rates.telephonyPerMinute),
    transcription: rounded(transcription),
    voice: rounded(voice),
    llm: rounded(llm(usage?.model, summary)),
    ...(ownKeys > 0 && { own_keys: rounded(ownKeys) }),
  }
}

export const totalOf = (cost: CostBreakdown): number =>
  rounded(cost.telephony + cost.transcription + cost.voice + cost.llm)

/** Six decimals, like the database column. */
const rounded = (usd: number) => Math.round(usd * 1e6) / 1e6
