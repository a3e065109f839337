import type {
  ConversationEvent,
  ConversationSetup,
  ConversationUsage,
  EarlyStarts,
  Stage,
  TranscriptSegment,
  TurnLatency,
  UnansweredQuestion,
  UsedTool,
} from './contract.ts'

/** An event without its timestamp, which the report adds. */
type EventWithoutTime<E = ConversationEvent> = E extends ConversationEvent ? Omit<E, 'at'> : never

/** Collects transcript, usage, latency, tool calls and failures of a call, and emits the conversation's events. */
export interface ConversationReport {
  transcript: TranscriptSegment[]
  usage: ConversationUsage
  latency: TurnLatency[]
  earlyStarts: EarlyStarts
  tools: UsedTool[]
  /** What the caller asked and the agent could not answer. */
  unanswered: UnansweredQuestion[]
  failures: { stage: Stage; message: string; at: number }[]
  /** Seconds since the start of the call. */
  seconds(): number
  emit(event: EventWithoutTime): void
  addSegment(segment: TranscriptSegment): void
  addFailure(stage: Stage, error: unknown): void
}

export function createReport(
  { transcriber, voice, onEvent }: ConversationSetup,
  now: () => number,
): ConversationReport {
  const seconds = () => Math.round(now()) / 1000
  const report: ConversationReport = {
    transcript: [],
    usage: {
      transcriber: { provider: transcriber.provider, model: transcriber.model, audioSeconds: 0 },
      model: { inputTokens: 0, outputTokens: 0, turns: 0 },
      voice: { provider: voice.provider, model: voice.model, characters: 0, audioSeconds: 0 },
    },
    latency: [],
    earlyStarts: { used: 0, discarded: 0 },
    tools: [],
    unanswered: [],
    failures: [],
    seconds,
    emit(event) {
      try {
        onEvent({ ...event, at: seconds() } as ConversationEvent)
      } catch {
        // An event listener that throws must not end the call.
      }
    },
    addSegment(segment) {
      report.transcript.push(segment)
      report.emit({ type: 'transcript.final', segment })
    },
    addFailure(stage, error) {
      const message = error instanceof Error ? error.message : String(error)
      report.failures.push({ stage, message, at: seconds() })
      report.emit({ type: 'stage.failed', stage, message })
    },
  }
  return report
}
