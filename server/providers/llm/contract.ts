import type { OnFallback } from '../fallback/contract.ts'

/** A language model, local or hosted. */
export interface Llm {
  /**
   * Streams one answer; `done` is the last event. Throws an `LlmError` on failure, and the signal's reason once it is
   * aborted.
   */
  stream(request: LlmRequest): AsyncIterable<LlmEvent>
}

export interface LlmRequest extends LlmChoice {
  /** Asked in this order if the ones before failed without an answer. */
  fallbacks?: LlmChoice[]
  /** Called when one of them is asked. */
  onFallback?: OnFallback | undefined
  /** Its own keys are used where it has them. */
  organizationId?: string
  system: string
  messages: LlmMessage[]
  tools: LlmTool[]
  /** From the call to the first words, including all attempts. */
  firstWordsMs: number
  /** How long the model may pause between words. */
  pauseMs: number
  maxOutputTokens: number
  /** Text was already streamed in this turn, so a model that ends it without more text has answered. */
  mayBeEmpty?: boolean
  signal: AbortSignal
}

export interface LlmChoice {
  provider: LlmProvider
  model: string
}

export type LlmProvider = 'openai' | 'anthropic' | 'google'

export type LlmMessage =
  | { role: 'user'; text: string }
  | { role: 'assistant'; text: string; toolCalls: LlmToolCall[] }
  | { role: 'tool'; results: LlmToolResult[] }

export interface LlmTool {
  /** Letters, digits, `_` and `-`, at most 64. */
  name: string
  description: string
  /** JSON Schema of an object. */
  parameters: Record<string, unknown>
}

export interface LlmToolCall {
  id: string
  name: string
  arguments: Record<string, unknown>
  /** Opaque data that the provider requires back with the call. */
  seal?: unknown
}

export interface LlmToolResult {
  id: string
  name: string
  result: string
  isError: boolean
}

interface LlmUsage {
  inputTokens: number
  outputTokens: number
  /** The part of them that is speech. */
  audioInputTokens?: number
  audioOutputTokens?: number
  model: string
  /** Whether an account of the organization pays for it. */
  isOwnKey?: boolean
}

export type LlmEvent =
  | { type: 'text'; text: string }
  /** `arguments` are null where the model wrote something other than a JSON object. */
  | { type: 'tool_call'; id: string; name: string; arguments: Record<string, unknown> | null; seal?: unknown }
  | { type: 'done'; usage: LlmUsage }

/**
 * - `unconfigured`: the installation has no key for this provider.
 * - `refused`: the provider will not answer this request, however often it is retried.
 * - `overloaded`: the provider asked to retry later.
 * - `unreachable`: no connection, or none that lasted until the first words.
 * - `timeout`: no words in time.
 * - `empty_answer`: the answer ended without text and without a tool call.
 * - `cut_off`: the answer ended before it was complete.
 * - `no_answer`: the model only called tools, as often as a turn allows. A retry would run the tools again.
 */
type LlmFault =
  | 'unconfigured'
  | 'refused'
  | 'overloaded'
  | 'unreachable'
  | 'timeout'
  | 'empty_answer'
  | 'cut_off'
  | 'no_answer'

export class LlmError extends Error {
  readonly fault: LlmFault
  constructor(fault: LlmFault, message: string) {
    super(message)
    this.fault = fault
  }
  /** Whether the same request may succeed in a while. */
  get isPassing(): boolean {
    return this.fault !== 'unconfigured' && this.fault !== 'refused' && this.fault !== 'no_answer'
  }
}
