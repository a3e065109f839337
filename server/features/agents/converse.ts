import type { TenantScope } from '../../platform/database.ts'
import type { Source } from '../knowledge/retrieval/retrieve-passages.ts'
import type { AgentConfig, AgentType } from './schema.ts'

/**
 * One version of an agent, ready to speak: its defaults filled in, the values of its headers in clear. Never an answer,
 * never logged. `openAgent` in open-agent.ts makes it.
 */
export interface OpenAgent {
  id: string
  version: number
  name: string
  type: AgentType
  isActive: boolean
  timezone: string | null
  config: AgentConfig
}

/** What was said before. Of the agent's words only those that were really sent or spoken. */
export interface Turn {
  speaker: 'agent' | 'caller'
  text: string
  /** What the agent looked up in this turn, so that it need not do so again. */
  tools?: ToolUse[]
}

export interface ToolUse {
  id: string
  name: string
  arguments: Record<string, unknown>
  result: string
}

/** Who is at the other end, as far as it is known. */
export interface ContactBrief {
  id: string
  name: string
  phone_number: string
  tags: string[]
  notes: string
  custom_fields: Record<string, unknown>
}

/** How the agent is talked to: `text` is a trial by an operator. */
export type Medium = 'voice' | 'chat' | 'text'

export interface TurnInput {
  scope: TenantScope
  agent: OpenAgent
  medium: Medium
  /** Oldest first, without what was heard just now. */
  history: Turn[]
  heard: string
  /** Fill `{{name}}` in the prompt, the greeting and the rules. */
  variables?: Record<string, unknown>
  contact?: ContactBrief | undefined
  /** What the agent calls "now", in its time zone. */
  now: Date
  /** Aborted when the turn is no longer wanted: the caller speaks, a person took over, the node stops. */
  signal: AbortSignal
}

export interface Usage {
  input_tokens: number
  output_tokens: number
  /** `scripted` where no model was asked. */
  model: string
}

export type TurnEvent =
  /** A piece of the answer, as it comes. */
  | { type: 'text'; text: string }
  /** To be said while a tool runs; it is part of what the agent said. */
  | { type: 'say_meanwhile'; text: string }
  | { type: 'tool_call'; id: string; name: string; arguments: Record<string, unknown> }
  /** `result` is what the model is told, also where the tool failed. */
  | { type: 'tool_result'; id: string; name: string; result: string; is_error: boolean; took_ms: number }
  /** A person is wanted; what was said before it stands. */
  | { type: 'handoff'; reason: string }
  /** Only by voice. */
  | { type: 'end_call'; reason: string }
  | { type: 'transfer'; to: string; reason: string }
  /** Always the last one. */
  | { type: 'done'; text: string; usage: Usage; sources: Source[] }

/** What was used until a turn or a summary was cut short is lost with it; `done` has it whole. */
export interface Summary {
  summary: string
  usage: Usage
}

/**
 * One turn: what the agent says and does to what it heard. It throws an `LlmError` (providers/llm/contract.ts) where the
 * model cannot be asked, and the signal's reason once it is aborted.
 */
export type Converse = (turn: TurnInput) => AsyncIterable<TurnEvent>

/** A conversation in a few sentences, for those who were not there. */
export type Summarize = (conversation: {
  scope: TenantScope
  agent: OpenAgent
  turns: Turn[]
  signal: AbortSignal
}) => Promise<Summary>
