import type { Database, TenantScope } from '../../../platform/database.ts'
import { emit } from '../../../platform/events.ts'
import type { Log } from '../../../platform/log.ts'
import { LlmError } from '../../../providers/llm/contract.ts'
import { addTokens } from '../../agents/answering/add-usage.ts'
import type { OpenAgent, Turn, Usage } from '../../agents/answering/turn.ts'
import { writeToContact } from '../../agents/results/write-to-contact.ts'
import type { Agents } from '../agents.ts'
import { wordsToSigns } from '../conversation/spoken/words-to-signs.ts'
import { costOf, type Rates, totalOf } from '../cost.ts'
import { callAnalyzed } from '../events.ts'
import { type CallToAnalyze, findCallToAnalyze, lockCallToAnalyze, saveAnalysis } from './finish-queries.ts'
import type { Analysis } from './schema.ts'

export interface AnalyzeDependencies {
  database: Database
  agents: Agents
  rates: Rates
  log: Log
}

/**
 * Stores summary, analysis, results and cost of an ended call, once. Throws on a passing fault of the model, so that the
 * job is retried; the last attempt stores what there is, and why there is no more.
 */
export async function analyzeCall(
  scope: TenantScope,
  id: string,
  deps: AnalyzeDependencies,
  { isLastAttempt, signal }: { isLastAttempt: boolean; signal: AbortSignal },
): Promise<void> {
  const { database, rates } = deps
  const call = await findCallToAnalyze(database.forTenant(scope), id)
  if (!call) return
  const agent = await openAgentOf(scope, call, deps)
  const turns = turnsOf(call, agent?.config.language)
  const [written, assessed] = await Promise.all([
    summarize(scope, call, agent, deps, { turns, signal }),
    agent && deps.agents.assess({ scope, agent, turns, medium: 'voice', signal }),
  ])
  const passing = [written.fault, assessed?.fault].find((fault) => fault?.isPassing)
  if (passing && !isLastAttempt) throw passing
  const costBreakdown = costOf(
    {
      medium: call.medium,
      durationSeconds: call.duration_seconds,
      usage: call.usage,
      summary: tokensOf([written.usage, assessed?.usage]),
    },
    rates,
  )
  await database.inTenant(scope, async (tx) => {
    const locked = await lockCallToAnalyze(tx, id, call.transcript.length)
    if (!locked) return
    const results = agent && assessed && (await writeToContact(tx, locked.contact_id, { agent, assessed }))
    const analyzed = await saveAnalysis(tx, id, {
      summary: written.summary,
      analysis: { ...analysisOf(call, written), ...(results && { results }) },
      cost: totalOf(costBreakdown),
      costBreakdown,
    })
    if (analyzed) await emit(tx, callAnalyzed, analyzed)
  })
}

interface Written {
  summary: string
  model: string | null
  usage?: Usage
  /** Why the model wrote no summary. */
  fault?: LlmError
}

/** What the models used, and the part that the organization's own account pays for. */
function tokensOf(usages: (Usage | undefined)[]) {
  const sum: Usage = { input_tokens: 0, output_tokens: 0, model: '' }
  for (const usage of usages) if (usage) addTokens(sum, usage)
  const { own_key: own } = sum
  return {
    inputTokens: sum.input_tokens,
    outputTokens: sum.output_tokens,
    ...(own && { ownKey: { inputTokens: own.input_tokens, outputTokens: own.output_tokens } }),
  }
}

/** Undefined if the caller said nothing or the agent was deleted: there is nothing to find out, or no model for it. */
async function openAgentOf(
  scope: TenantScope,
  call: CallToAnalyze,
  { database, agents }: AnalyzeDependencies,
): Promise<OpenAgent | undefined> {
  const hasTalked = call.transcript.some(({ speaker }) => speaker === 'caller')
  return hasTalked && call.agent_id ? agents.open(database.forTenant(scope), call.agent_id) : undefined
}

/** Numbers and addresses that the caller spelled are written as the results need them. */
const turnsOf = ({ transcript }: CallToAnalyze, language = 'en'): Turn[] =>
  transcript.map(({ speaker, text }) => ({ speaker, text: speaker === 'caller' ? wordsToSigns(text, language) : text }))

async function summarize(
  scope: TenantScope,
  call: CallToAnalyze,
  agent: OpenAgent | undefined,
  { agents, log }: AnalyzeDependencies,
  { turns, signal }: { turns: Turn[]; signal: AbortSignal },
): Promise<Written> {
  const plain = (usage?: Usage): Written => ({ summary: silentSummary(call), model: null, ...(usage && { usage }) })
  if (!agent) return plain()
  try {
    const { summary, usage } = await agents.summarize({ scope, agent, turns, signal })
    // A model that only calls tools returns no summary, but its tokens are still billed.
    return summary ? { summary, model: usage.model, usage } : plain(usage)
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof LlmError)) throw error
    log.warn({ err: error, call: call.id }, 'call analysis: summary failed')
    return { ...plain(), fault: error }
  }
}

/** Summary without a model: for calls in which at most one side spoke, and when summarizing failed. */
function silentSummary({ status, ended_reason, transcript, direction, medium }: CallToAnalyze): string {
  const hasSpoken = (speaker: 'agent' | 'caller') => transcript.some((segment) => segment.speaker === speaker)
  const other = medium === 'phone' && direction === 'outbound' ? 'The person who was called' : 'The caller'
  if (status === 'busy') return 'The line was busy.'
  if (status === 'no-answer') return 'No one answered.'
  if (ended_reason === 'voicemail')
    return hasSpoken('agent')
      ? 'A voicemail greeting answered, and the agent spoke to it.'
      : 'A voicemail greeting answered, and the agent hung up.'
  if (status === 'failed') return 'The call failed.'
  if (hasSpoken('caller')) return 'The call could not be summarized.'
  if (hasSpoken('agent')) return `The agent spoke. ${other} said nothing.`
  return ended_reason === 'caller_hung_up'
    ? `${other} hung up before the agent spoke.`
    : 'The call ended before either side spoke.'
}

function analysisOf(call: CallToAnalyze, { model, fault }: Written): Analysis {
  const of = (speaker: 'agent' | 'caller') => call.transcript.filter((segment) => segment.speaker === speaker)
  const words = (speaker: 'agent' | 'caller') =>
    of(speaker).reduce((sum, { text }) => sum + (text.match(/\S+/g)?.length ?? 0), 0)
  return {
    outcome: outcomeOf(call),
    turns: { caller: of('caller').length, agent: of('agent').length },
    words: { caller: words('caller'), agent: words('agent') },
    interruptions: of('agent').filter(({ interrupted }) => interrupted).length,
    handoff_reason: call.usage?.handoffReason ?? null,
    failures: call.usage?.failures ?? [],
    fallbacks: call.usage?.fallbacks ?? [],
    tool_calls: (call.usage?.tools ?? []).map(({ isError, ...tool }) => ({ ...tool, is_error: isError })),
    summary_by: model,
    summary_error: fault?.message ?? null,
  }
}

function outcomeOf({ status, ended_reason }: CallToAnalyze): Analysis['outcome'] {
  if (status === 'busy' || status === 'no-answer') return 'not_reached'
  if (status === 'failed') return 'failed'
  if (ended_reason === 'voicemail') return 'voicemail'
  if (ended_reason === 'handed_off') return 'handed_off'
  return ended_reason === 'transferred' ? 'transferred' : 'answered'
}
