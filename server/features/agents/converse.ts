import type { TenantScope } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import type { OutboundHttp } from '../../platform/outbound-fetch.ts'
import { type Llm, LlmError, type LlmMessage } from '../../providers/llm/contract.ts'
import type { ContactBrief } from '../contacts/schema.ts'
import type { Source } from '../knowledge/retrieval/retrieve-passages.ts'
import type { Retrieval } from '../knowledge/retrieval/search-knowledge.ts'
import { chooseModel } from './choose-model.ts'
import type { AgentConfig } from './config-schema.ts'
import { findPassages } from './find-passages.ts'
import { instructionsFor } from './instructions.ts'
import type { AgentType } from './schema.ts'
import { actionNames, actionsFor, actionTools } from './tools/actions.ts'
import type { McpTools } from './tools/mcp-tools.ts'
import { restTools } from './tools/rest-tools.ts'
import { asMade, type Call, runTools } from './tools/run-tools.ts'

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

/** Rounds of tool calls in a turn. The request after the last round offers no tools, so the model has to answer. */
const mostRounds = 6
const mostCallsAtOnce = 8
const longestAnswerTokens = 2000

/** How long the other side waits for the first words, and between two pieces of the answer. */
const modelTimeouts: Record<Medium, { firstWordsMs: number; pauseMs: number }> = {
  voice: { firstWordsMs: 10_000, pauseMs: 10_000 },
  chat: { firstWordsMs: 45_000, pauseMs: 20_000 },
  text: { firstWordsMs: 45_000, pauseMs: 20_000 },
}

/**
 * One turn: what the agent says and does to what it heard. Throws an `LlmError` where the model cannot be asked, and the
 * signal's reason once that is aborted; a tool that fails is told to the model, not thrown.
 */
export async function* converse(deps: Conversing, turn: TurnInput): AsyncGenerator<TurnEvent> {
  const { agent, medium, signal } = turn
  signal.throwIfAborted()
  const [passages, runnable] = await Promise.all([findPassages(deps, turn), toolsOf(deps, turn)])
  const { llm, sources } = chooseModel(deps.llm, turn, passages)
  const actions = actionsFor(agent, medium)
  const messages: LlmMessage[] = [...turn.history.flatMap(toMessages), { role: 'user', text: turn.heard }]
  const usage: Usage = { input_tokens: 0, output_tokens: 0, model: '' }
  let text = ''

  for (let round = 1; ; round++) {
    const mayUseTools = round <= mostRounds
    const answer = llm.stream({
      provider: agent.config.llm_provider,
      model: agent.config.llm_model,
      system: instructionsFor(turn, passages),
      messages,
      tools: mayUseTools ? [...runnable, ...actions] : [],
      maxOutputTokens: longestAnswerTokens,
      mayBeEmpty: mayUseTools && text.trim() !== '',
      signal,
      ...modelTimeouts[medium],
    })
    const calls: Call[] = []
    let said = ''
    for await (const event of answer) {
      if (event.type === 'tool_call') calls.push(event)
      else if (event.type === 'text') {
        // What comes after a tool is a sentence of its own.
        const piece = said === '' && /\S$/.test(text) ? ` ${event.text}` : event.text
        said += piece
        text += piece
        yield { type: 'text', text: piece }
      } else {
        usage.input_tokens += event.usage.inputTokens
        usage.output_tokens += event.usage.outputTokens
        usage.model = event.usage.model
      }
    }
    if (!mayUseTools) {
      // Some models call tools that they were not offered: these calls are dropped, so that the turn has an end.
      if (said.trim() === '')
        throw new LlmError('no_answer', `The model kept calling tools and gave no answer after ${mostRounds} rounds`)
      break
    }
    const isAction = ({ name }: Call) => actions.some((offered) => offered.name === name)
    const action = calls.find(isAction)
    const toRun = calls.filter((call) => !isAction(call)).slice(0, mostCallsAtOnce)
    const results = yield* runTools({ tools: runnable, calls: toRun, said, log: deps.log }, turn)
    if (action) {
      const { say, reason } = wordsOf(action)
      if (text.trim() === '' && say !== '') {
        text = say
        yield { type: 'text', text: say }
      }
      yield actionEvent(action.name, agent, reason)
    }
    if (action || toRun.length === 0) break
    messages.push({ role: 'assistant', text: said, toolCalls: toRun.map(asMade) }, { role: 'tool', results })
  }
  yield { type: 'done', text: text.trim(), usage, sources }
}

async function toolsOf({ http, mcpTools }: Conversing, { scope, agent, medium, signal }: TurnInput) {
  if (agent.type === 'static') return []
  const own = restTools(http, agent.config.tools)
  const taken = new Set([...own.map(({ name }) => name), ...actionNames])
  const options = { waitMs: medium === 'voice' ? 1_000 : 7_000, signal }
  const theirs = await mcpTools.of(ownerOf(scope, agent), agent.config.mcp_servers, options)
  return [...own, ...theirs.filter(({ name }) => !taken.has(name))]
}

/** A version's servers never change, so its connections can be kept. */
const ownerOf = ({ organizationId, livemode }: TenantScope, { id, version }: OpenAgent) =>
  `${organizationId} ${livemode} ${id} ${version}`

/** Connects to the agent's MCP servers while the phone still rings: nobody then waits for them in the first turn. */
export function warmUp({ mcpTools }: Pick<Conversing, 'mcpTools'>, scope: TenantScope, agent: OpenAgent): void {
  if (agent.type === 'static' || agent.config.mcp_servers.length === 0) return
  const options = { waitMs: 10_000, signal: AbortSignal.timeout(10_000) }
  mcpTools.of(ownerOf(scope, agent), agent.config.mcp_servers, options).catch(() => {})
}

function wordsOf({ arguments: given }: Call) {
  const word = (name: string) => (typeof given?.[name] === 'string' ? (given[name] as string).trim() : '')
  return { say: word('say'), reason: word('reason') }
}

function actionEvent(name: string, { config }: OpenAgent, reason: string): TurnEvent {
  const to = config.call_settings.transfer_number
  if (name === actionTools.end) return { type: 'end_call', reason }
  if (name === actionTools.transfer && to !== null) return { type: 'transfer', to, reason }
  return { type: 'handoff', reason }
}

function toMessages({ speaker, text, tools = [] }: Turn): LlmMessage[] {
  if (speaker === 'caller') return [{ role: 'user', text }]
  const spoken: LlmMessage[] = text === '' ? [] : [{ role: 'assistant', text, toolCalls: [] }]
  if (tools.length === 0) return spoken
  const toolCalls = tools.map(({ id, name, arguments: given }) => ({ id, name, arguments: given }))
  const results = tools.map(({ id, name, result }) => ({ id, name, result, isError: false }))
  return [{ role: 'assistant', text: '', toolCalls }, { role: 'tool', results }, ...spoken]
}
