import type { TenantScope } from '../../../platform/database.ts'
import type { Log } from '../../../platform/log.ts'
import type { OutboundHttp } from '../../../platform/outbound-fetch.ts'
import type { OnFallback } from '../../../providers/fallback/contract.ts'
import type { Llm } from '../../../providers/llm/contract.ts'
import type { Speaker, SpokenEvent } from '../../../providers/speech-to-speech/contract.ts'
import type { ContactBrief } from '../../contacts/schema.ts'
import type { Source } from '../../knowledge/retrieval/retrieve-passages.ts'
import type { Retrieval } from '../../knowledge/retrieval/search-knowledge.ts'
import type { AgentConfig } from '../config/config-schema.ts'
import type { AgentType } from '../schema.ts'
import type { RunnableTool } from '../tools/contract.ts'
import type { McpTools } from '../tools/mcp-tools.ts'

/**
 * One version of an agent, ready to run: defaults filled in, header values decrypted. Never part of a response, never
 * logged. Created by `openAgent` in open-agent.ts.
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

/** Earlier turns. Of the agent's text only what was really sent or spoken. */
export interface Turn {
  speaker: 'agent' | 'caller'
  text: string
  /** Tool results of this turn, so that the agent need not call the tools again. */
  tools?: ToolUse[]
}

export interface ToolUse {
  id: string
  name: string
  arguments: Record<string, unknown>
  result: string
}

/** The medium: `text` is a trial by an operator, `draft` a chat message that a member checks and sends. */
export type Medium = 'voice' | 'chat' | 'text' | 'draft'

export interface TurnInput {
  scope: TenantScope
  agent: OpenAgent
  medium: Medium
  /** Oldest first, without the current input. */
  history: Turn[]
  heard: string
  /** Fill `{{name}}` in the prompt, the greeting and the rules. */
  variables?: Record<string, unknown>
  contact?: ContactBrief | undefined
  /** What members noted about the conversation. */
  notes?: string[]
  /** Tools of the medium, such as sending a message during a call. The agent's own tools of the same name win. */
  tools?: RunnableTool[]
  /** Earlier conversations and open tasks, from `readMemory`. */
  memory?: string | undefined
  /** The language to answer in, by its English name; without it that of the other side. */
  language?: string | undefined
  /** The agent's "now", in its time zone. */
  now: Date
  /** Answers by speech in place of the hosted model, as long as it can. Only by voice. */
  speaker?: Speaker | undefined
  /** Called when a model failed and the next one of the agent's chain answers. */
  onFallback?: OnFallback
  /** Aborted when the turn is no longer needed: the caller speaks, a person took over, the node stops. */
  signal: AbortSignal
}

export interface Usage {
  input_tokens: number
  output_tokens: number
  /** `scripted` where no model was called. */
  model: string
  /** The part of the tokens that is speech. */
  audio?: { input_tokens: number; output_tokens: number }
  /** The part of the tokens that the organization's own account pays for. */
  own_key?: Omit<Usage, 'model' | 'own_key'>
}

export type TurnEvent =
  /** A piece of the answer, streamed. */
  | { type: 'text'; text: string }
  /** The answer of a model that speaks; its text streams in `spoken`. */
  | SpokenEvent
  /** Spoken while a tool runs; it is part of what the agent said. */
  | { type: 'say_meanwhile'; text: string }
  /** Only by voice: how long the search in the knowledge base took. */
  | { type: 'retrieved'; took_ms: number }
  /** No tool runs before the next event is requested, so a consumer can wait until it is sure to need the answer. */
  | { type: 'tool_call'; id: string; name: string; arguments: Record<string, unknown> }
  /** `result` is what the model gets, also when the tool failed. */
  | { type: 'tool_result'; id: string; name: string; result: string; is_error: boolean; took_ms: number }
  /** Answers that the other side can choose from, in chat. */
  | { type: 'choices'; choices: string[] }
  /** Hand-off to a person; what was said before stays. */
  | { type: 'handoff'; reason: string }
  /** Only by voice. */
  | { type: 'end_call'; reason: string }
  | { type: 'transfer'; to: string; reason: string }
  /** Always the last one. `sources` are the passages that the answer used. */
  | { type: 'done'; text: string; usage: Usage; sources: Source[]; unanswered: Unanswered | null }

/** Why a question stays open: the knowledge base has no answer to it, or the agent handed it to a person. */
export type Unanswered = 'not_found' | 'handed_off'

/** `converse` with its dependencies bound, for other features. */
export type Converse = (turn: TurnInput) => AsyncIterable<TurnEvent>

export interface Summary {
  summary: string
  usage: Usage
}

/** `summarize` of summarize.ts, likewise: a short summary of a conversation. */
export type Summarize = (conversation: Conversation) => Promise<Summary>

export interface Conversation {
  scope: TenantScope
  agent: OpenAgent
  turns: Turn[]
  /** What members noted about it. */
  notes?: string[]
  medium?: 'voice' | 'chat'
  /** The language of the summary, by its English name; without it that of the conversation. */
  language?: string | undefined
  signal: AbortSignal
}

/** Dependencies of a conversation besides its agent; created once, in app.ts. */
export interface Conversing {
  http: OutboundHttp
  /** The hosted models. Test mode and static agents never call it. */
  llm: Llm
  mcpTools: McpTools
  knowledge: Retrieval
  /** How long one search of the documents may take in chat. */
  searchMs: number
  log: Log
}
