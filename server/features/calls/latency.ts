import type { TurnLatency } from './conversation/contract.ts'
import type { Latency } from './schema.ts'

/** Percentiles per stage, and each turn. */
export function latencyOf(turns: TurnLatency[]): Latency | null {
  if (turns.length === 0) return null
  const of = (stage: keyof TurnLatency) => {
    const sorted = turns.map((turn) => Math.round(turn[stage])).sort((a, b) => a - b)
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] as number
    return { p50: at(0.5), p95: at(0.95), max: at(1) }
  }
  return {
    turns: turns.length,
    endpointing: of('endpointingMs'),
    transcription: of('transcriberMs'),
    llm: of('modelMs'),
    voice: of('voiceMs'),
    total: of('totalMs'),
    by_turn: turns.map(({ at, ...turn }) => ({
      at,
      endpointing: Math.round(turn.endpointingMs),
      transcription: Math.round(turn.transcriberMs),
      llm: Math.round(turn.modelMs),
      voice: Math.round(turn.voiceMs),
      total: Math.round(turn.totalMs),
    })),
  }
}
