import type { TenantScope } from '../../../platform/database.ts'
import { languageOf } from '../../../platform/language-of.ts'
import { LlmError, type LlmMessage } from '../../../providers/llm/contract.ts'
import type { Passages, Source } from '../../knowledge/retrieval/retrieve-passages.ts'
import { wantsPerson } from '../language/asking-for-person.ts'
import { linesIn } from '../language/lines.ts'
import { smallTalkIn } from '../language/small-talk.ts'
import { createMarkFilter, noAnswerMark, usedSources } from '../passages/cited-marks.ts'
import { findPassages, readsKnowledge } from '../passages/find-passages.ts'
import { actionNames, actionsFor, actionTools } from '../tools/actions.ts'
import { restTools } from '../tools/rest-tools.ts'
import { asMade, type Call, runTools } from '../tools/run-tools.ts'
import { searchTool, searchToolName } from '../tools/search-knowledge.ts'
import { addUsage } from './add-usage.ts'
import { askedModel } from './asked-model.ts'
import { chooseModel } from './choose-model.ts'
import { countTokens } from './count-tokens.ts'
import { instructionsFor } from './instructions.ts'
import type { Conversing, Medium, OpenAgent, Turn, TurnEvent, TurnInput, Usage } from './turn.ts'

/** Rounds of tool calls in a turn. The request after the last round offers no tools, so the model has to answer. */
const mostRounds = 6
const mostCallsAtOnce = 8
const longestAnswerTokens = 2000
const mostChoices = 10

/** How long the contact or caller waits for the first words, and between two pieces of the answer. */
const modelTimeouts: Record<Medium, { firstWordsMs: number; pauseMs: number }> = {
  voice: { firstWordsMs: 10_000, pauseMs: 10_000 },
  chat: { firstWordsMs: 45_000, pauseMs: 20_000 },
  text: { firstWordsMs: 45_000, pauseMs: 20_000 },
  draft: { firstWordsMs: 45_000, pauseMs: 20_000 },
}

/**
 * One turn: what the agent says and does in reply. Throws an `LlmError` if the model is unavailable, and the signal's
 * reason once that is aborted; a tool's failure is reported to the model, not thrown.
 */
export async function* converse(deps: Conversing, turn: TurnInput): AsyncGenerator<TurnEvent> {
  const usage: Usage = { input_tokens: 0, output_tokens: 0, model: '' }
  try {
    yield* takeTurn(deps, turn, usage)
  } finally {
    // A call records its own. Turns that fail or are not wanted any more have used tokens too.
    if (turn.medium !== 'voice') await countTokens(deps, turn.scope, usage)
  }
}

async function* takeTurn(deps: Conversing, turn: TurnInput, usage: Usage): AsyncGenerator<TurnEvent> {
  const { agent, medium, signal } = turn
  signal.throwIfAborted()
  const beganAt = performance.now()
  const search = findPassages(deps, turn, usage).then((found) => ({ found, tookMs: performance.now() - beganAt }))
  const [{ found: passages, tookMs }, own] = await Promise.all([search, toolsOf(deps, turn)])
  if (medium === 'voice' && passages.searched) yield { type: 'retrieved', took_ms: Math.round(tookMs) }
  const { llm, cites, sources, refusal } = chooseModel(deps.llm, turn, passages)
  const shown = [...passages.sources]
  const searches = cites && passages.searched ? searchTool(deps, turn, shown) : []
  const runnable = [...own, ...searches.filter(({ name }) => !isNamed(own, name))]
  const marks = createMarkFilter()
  const visible = cites && readsKnowledge(agent) ? marks : { ...marks, push: (piece: string) => piece }
  const actions = actionsFor(agent, medium)
  const messages: LlmMessage[] = [...turn.history.flatMap(toMessages), { role: 'user', text: turn.heard }]
  let text = ''
  let usedTools = false
  let isHandedOff = false

  for (let round = 1; ; round++) {
    const mayUseTools = round <= mostRounds
    const answer = llm.stream({
      ...askedModel(turn),
      onFallback: turn.onFallback,
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
    const say = function* (words: string): Generator<TurnEvent> {
      if (words === '') return
      // Text after a tool call starts a new sentence.
      const piece = said === '' && /\S$/.test(text) ? ` ${words}` : words
      said += piece
      text += piece
      yield { type: 'text', text: piece }
    }
    for await (const event of answer) {
      if (event.type === 'tool_call') calls.push(event)
      else if (event.type === 'text') yield* say(visible.push(event.text))
      else if (event.type === 'speech') yield event
      else if (event.type === 'spoken') {
        const piece = said === '' && /\S$/.test(text) ? ` ${event.text}` : event.text
        said += piece
        text += piece
        yield event
      } else addUsage(usage, event.usage)
    }
    yield* say(visible.end())
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
      const { say: words, reason } = wordsOf(action)
      const shownWords = visible.strip(words)
      const isQuestion = action.name === actionTools.choices && !text.includes(shownWords)
      if (shownWords !== '' && (text.trim() === '' || isQuestion)) {
        const piece = /\S$/.test(text) ? ` ${shownWords}` : shownWords
        text += piece
        yield { type: 'text', text: piece }
      }
      const event = actionEvent(action, agent, reason)
      isHandedOff = event.type === 'handoff' || event.type === 'transfer'
      yield event
    }
    usedTools ||= toRun.some(({ name }) => name !== searchToolName)
    if (action || toRun.length === 0) break
    messages.push({ role: 'assistant', text: said, toolCalls: toRun.map(asMade) }, { role: 'tool', results })
  }
  // A model that wrote nothing but the mark has refused without words.
  if (text.trim() === '' && marks.cited.has(noAnswerMark) && !isHandedOff) {
    text = linesIn(languageOf(turn.heard, agent.config.language)).notFound
    yield { type: 'text', text }
  }
  const used = cites ? usedSources({ text, question: turn.heard, cited: marks.cited }, shown) : sources
  const hasRefused = cites
    ? used.length === 0 && (marks.cited.has(noAnswerMark) || (foundNothing(passages, shown, turn) && !usedTools))
    : refusal !== undefined && text.includes(refusal)
  const unanswered = isQuestionFor(turn) ? (isHandedOff ? 'handed_off' : hasRefused ? 'not_found' : null) : null
  yield { type: 'done', text: text.trim(), usage, sources: used, unanswered }
}

/** Without a mark of the model, a question that no passage is about counts as not answered. */
const foundNothing = ({ searched }: Passages, shown: Source[], { heard }: TurnInput): boolean =>
  searched && shown.length === 0 && /[?？؟]/.test(heard)

/** Whether the knowledge base could have an answer. A person is no answer of the knowledge base. */
const isQuestionFor = ({ agent, heard }: TurnInput): boolean =>
  readsKnowledge(agent) && !wantsPerson(heard) && smallTalkIn(heard) === undefined

const isNamed = (tools: { name: string }[], name: string): boolean => tools.some((tool) => tool.name === name)

async function toolsOf({ http, mcpTools }: Conversing, { scope, agent, medium, tools = [], signal }: TurnInput) {
  // A draft is only a text: a tool would book, order or change something before a member has read it.
  if (agent.type === 'static' || medium === 'draft') return []
  const own = restTools(http, agent.config.tools)
  const ofMedium = tools.filter(({ name }) => !isNamed(own, name))
  const taken = new Set([...[...own, ...ofMedium].map(({ name }) => name), ...actionNames])
  const options = { waitMs: medium === 'voice' ? 1_000 : 7_000, signal }
  const theirs = await mcpTools.of(ownerOf(scope, agent), agent.config.mcp_servers, options)
  return [...own, ...ofMedium, ...theirs.filter(({ name }) => !taken.has(name))]
}

/** A version's servers never change, so its connections can be kept. */
const ownerOf = ({ organizationId, livemode }: TenantScope, { id, version }: OpenAgent) =>
  `${organizationId} ${livemode} ${id} ${version}`

/** Connects to the agent's MCP servers while the phone rings, so that the first turn does not wait for them. */
export function warmUp({ mcpTools }: Pick<Conversing, 'mcpTools'>, scope: TenantScope, agent: OpenAgent): void {
  if (agent.type === 'static' || agent.config.mcp_servers.length === 0) return
  const options = { waitMs: 10_000, signal: AbortSignal.timeout(10_000) }
  mcpTools.of(ownerOf(scope, agent), agent.config.mcp_servers, options).catch(() => {})
}

function wordsOf({ arguments: given }: Call) {
  const word = (name: string) => (typeof given?.[name] === 'string' ? (given[name] as string).trim() : '')
  return { say: word('say'), reason: word('reason') }
}

function actionEvent({ name, arguments: given }: Call, { config }: OpenAgent, reason: string): TurnEvent {
  const { transfer_number, transfer_targets } = config.call_settings
  const to = transfer_targets.find((target) => target.name === given?.target)?.number ?? transfer_number
  if (name === actionTools.choices) return { type: 'choices', choices: choicesIn(given?.choices) }
  if (name === actionTools.end) return { type: 'end_call', reason }
  if (name === actionTools.transfer && to !== null) return { type: 'transfer', to, reason }
  return { type: 'handoff', reason }
}

/** A model may send anything: blank and repeated choices are dropped. */
function choicesIn(given: unknown): string[] {
  const words = Array.isArray(given) ? given.filter((each): each is string => typeof each === 'string') : []
  return [...new Set(words.map((each) => each.trim()).filter(Boolean))].slice(0, mostChoices)
}

function toMessages({ speaker, text, tools: used = [] }: Turn): LlmMessage[] {
  // Passages of earlier turns would be cited by numbers that mean others now.
  const tools = used.filter(({ name }) => name !== searchToolName)
  if (speaker === 'caller') return [{ role: 'user', text }]
  const spoken: LlmMessage[] = text === '' ? [] : [{ role: 'assistant', text, toolCalls: [] }]
  if (tools.length === 0) return spoken
  const toolCalls = tools.map(({ id, name, arguments: given }) => ({ id, name, arguments: given }))
  const results = tools.map(({ id, name, result }) => ({ id, name, result, isError: false }))
  return [{ role: 'assistant', text: '', toolCalls }, { role: 'tool', results }, ...spoken]
}
