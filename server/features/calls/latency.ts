import type { Metrics } from '../../platform/metrics.ts'
import type { TurnLatency } from './conversation/contract.ts'
import type { Latency } from './schema.ts'

/** Adds the stages of each turn to a histogram. */
export function createTurnObserver(metrics: Metrics): (turns: TurnLatency[]) => void {
  const durations = metrics.histogram(
    'frontdesk_call_turn_seconds',
    'From the end of the caller’s speech to the answer, by stage of the turn',
    ['stage'],
    [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.5, 2, 3, 5, 10],
  )
  return (turns) => {
    for (const { endpointingMs, transcriberMs, modelMs, voiceMs, totalMs } of turns) {
      durations.observe({ stage: 'endpointing' }, endpointingMs / 1000)
      durations.observe({ stage: 'transcription' }, transcriberMs / 1000)
      durations.observe({ stage: 'llm' }, modelMs / 1000)
      durations.observe({ stage: 'voice' }, voiceMs / 1000)
      durations.observe({ stage: 'total' }, totalMs / 1000)
    }
  }
}

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
