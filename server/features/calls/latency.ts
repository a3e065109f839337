import type { Metrics } from '../../platform/metrics.ts'
import type { EarlyStarts, TurnLatency } from './conversation/contract.ts'
import type { Latency } from './ending/schema.ts'

/** Adds the stages of each turn to a histogram. */
export function createTurnObserver(metrics: Metrics): (turns: TurnLatency[]) => void {
  const durations = metrics.histogram(
    'frontdesk_call_turn_seconds',
    'From the end of the caller’s speech to the answer, by stage of the turn',
    ['stage'],
    [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.5, 2, 3, 5, 10],
  )
  return (turns) => {
    for (const { endpointingMs, transcriberMs, modelMs, voiceMs, totalMs, retrievalMs, toolsMs, heardMs } of turns) {
      durations.observe({ stage: 'endpointing' }, endpointingMs / 1000)
      durations.observe({ stage: 'transcription' }, transcriberMs / 1000)
      durations.observe({ stage: 'llm' }, modelMs / 1000)
      durations.observe({ stage: 'voice' }, voiceMs / 1000)
      durations.observe({ stage: 'total' }, totalMs / 1000)
      if (retrievalMs !== undefined) durations.observe({ stage: 'retrieval' }, retrievalMs / 1000)
      if (toolsMs !== undefined) durations.observe({ stage: 'tools' }, toolsMs / 1000)
      if (heardMs !== undefined) durations.observe({ stage: 'heard' }, heardMs / 1000)
    }
  }
}

/** Percentiles per stage, and each turn. */
export function latencyOf(turns: TurnLatency[], earlyStarts: EarlyStarts): Latency | null {
  if (turns.length === 0) return null
  return {
    turns: turns.length,
    endpointing: percentiles(turns.map(({ endpointingMs }) => endpointingMs)),
    transcription: percentiles(turns.map(({ transcriberMs }) => transcriberMs)),
    llm: percentiles(turns.map(({ modelMs }) => modelMs)),
    voice: percentiles(turns.map(({ voiceMs }) => voiceMs)),
    total: percentiles(turns.map(({ totalMs }) => totalMs)),
    ...optional(turns, 'retrieval', 'retrievalMs'),
    ...optional(turns, 'tools', 'toolsMs'),
    ...optional(turns, 'heard', 'heardMs'),
    early_starts: earlyStarts,
    by_turn: turns.map(({ at, ...turn }) => ({
      at,
      endpointing: turn.endpointingMs,
      transcription: turn.transcriberMs,
      llm: turn.modelMs,
      voice: turn.voiceMs,
      total: turn.totalMs,
      ...(turn.retrievalMs !== undefined && { retrieval: turn.retrievalMs }),
      ...(turn.toolsMs !== undefined && { tools: turn.toolsMs }),
      ...(turn.heardMs !== undefined && { heard: turn.heardMs }),
    })),
  }
}

function percentiles(values: number[]) {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] as number
  return { p50: at(0.5), p95: at(0.95), max: at(1) }
}

/** Over the turns that had this stage; nothing if none had it. */
function optional<N extends string>(turns: TurnLatency[], name: N, stage: 'retrievalMs' | 'toolsMs' | 'heardMs') {
  const values = turns.map((turn) => turn[stage]).filter((value) => value !== undefined)
  return (values.length > 0 ? { [name]: percentiles(values) } : {}) as { [K in N]?: ReturnType<typeof percentiles> }
}
