import type { TenantScope } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import type { OutboundHttp } from '../../platform/outbound-fetch.ts'
import type { Llm } from '../../providers/llm/contract.ts'
import type { ContactBrief } from '../contacts/schema.ts'
import type { Source } from '../knowledge/retrieval/retrieve-passages.ts'
import type { Retrieval } from '../knowledge/retrieval/search-knowledge.ts'
import type { AgentConfig } from './config-schema.ts'
import type { AgentType } from './schema.ts'
import type { McpTools } from './tools/mcp-tools.ts'

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

/** `converse` with what it needs, for features that are handed it. */
export type Converse = (turn: TurnInput) => AsyncIterable<TurnEvent>

export interface Summary {
  summary: string
  usage: Usage
}

/** `summarize` of summarize.ts, likewise: a conversation in a few sentences, for those who were not there. */
export type Summarize = (conversation: Conversation) => Promise<Summary>

export interface Conversation {
  scope: TenantScope
  agent: OpenAgent
  turns: Turn[]
  signal: AbortSignal
}

/** What a conversation needs besides its agent; made once, in app.ts. */
export interface Conversing {
  http: OutboundHttp
  /** The hosted models. Test mode and static agents never ask it. */
  llm: Llm
  mcpTools: McpTools
  knowledge: Retrieval
  log: Log
}
