import type { TurnLatency } from './contract.ts'

/** When the stages of a caller's turn were over: milliseconds of `performance.now()`, except `at`. */
export interface TurnTiming {
  /** When the caller stopped speaking, in seconds since the start of the call. */
  at: number
  /** How much of the turn was voiced. */
  voicedMs: number
  spokeUntil: number
  endpointedAt: number
  transcribedAt: number
}

/** The same for the answer, as far as it has come. */
export interface AnswerTiming extends TurnTiming {
  textAt: number
  sentenceAt: number
  retrievalMs?: number
  toolsMs?: number
}

export function latencyOf(timing: AnswerTiming, audioAt: number): TurnLatency {
  const ms = (from: number, to: number) => Math.max(0, Math.round(to - from))
  const { retrievalMs, toolsMs } = timing
  return {
    at: timing.at,
    endpointingMs: ms(timing.spokeUntil, timing.endpointedAt),
    transcriberMs: ms(timing.endpointedAt, timing.transcribedAt),
    modelMs: ms(timing.transcribedAt, timing.textAt),
    voiceMs: ms(timing.sentenceAt, audioAt),
    totalMs: ms(timing.spokeUntil, audioAt),
    ...(retrievalMs !== undefined && { retrievalMs }),
    ...(toolsMs !== undefined && { toolsMs: Math.round(toolsMs) }),
  }
}
