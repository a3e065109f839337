import type {
  ConversationEvent,
  ConversationSetup,
  ConversationUsage,
  Stage,
  TranscriptSegment,
  TurnLatency,
  UsedTool,
} from './contract.ts'

/** Everything of an event but its moment, which the notes add. */
type Happened<E = ConversationEvent> = E extends ConversationEvent ? Omit<E, 'at'> : never

/** What is written down while a call runs: transcript, usage, latency and what went wrong. */
export interface Notes {
  transcript: TranscriptSegment[]
  usage: ConversationUsage
  latency: TurnLatency[]
  tools: UsedTool[]
  failures: { stage: Stage; message: string; at: number }[]
  /** Seconds from the start. */
  seconds(): number
  tell(event: Happened): void
  segment(segment: TranscriptSegment): void
  fault(stage: Stage, error: unknown): void
}

export function createNotes({ transcriber, voice, onEvent }: ConversationSetup, now: () => number): Notes {
  const seconds = () => Math.round(now()) / 1000
  const notes: Notes = {
    transcript: [],
    usage: {
      transcriber: { provider: transcriber.provider, model: transcriber.model, audioSeconds: 0 },
      model: { inputTokens: 0, outputTokens: 0, turns: 0 },
      voice: { provider: voice.provider, model: voice.model, characters: 0, audioSeconds: 0 },
    },
    latency: [],
    tools: [],
    failures: [],
    seconds,
    tell(event) {
      try {
        onEvent({ ...event, at: seconds() } as ConversationEvent)
      } catch {
        // Whoever listens must not end the call.
      }
    },
    segment(segment) {
      notes.transcript.push(segment)
      notes.tell({ type: 'transcript.final', segment })
    },
    fault(stage, error) {
      const message = error instanceof Error ? error.message : String(error)
      notes.failures.push({ stage, message, at: seconds() })
      notes.tell({ type: 'stage.failed', stage, message })
    },
  }
  return notes
}
