import type { LlmEvent, LlmRequest } from '../llm/contract.ts'
import type { SpokenAnswer } from '../speech/contract.ts'

/** What a model that speaks adds to the events of one that writes. */
export type SpokenEvent =
  /** It begins to speak. */
  | { type: 'speech'; speech: SpokenAnswer }
  /** A piece of the text of the last `speech`. */
  | { type: 'spoken'; text: string }

/** A language model that may speak its answer instead of writing it. */
export interface SpeakingLlm {
  stream(request: LlmRequest): AsyncIterable<LlmEvent | SpokenEvent>
}

/** The model of one call's speech-to-speech session. */
export interface Speaker extends SpeakingLlm {
  /** Another model answers in its place. The loss of the session is reported once. */
  replacedBy(model: string, error: unknown): void
  /** What its answers cost without a `done` that tells: those that were interrupted, discarded or failed. */
  unreported(): Promise<Extract<LlmEvent, { type: 'done' }>['usage']>
}
