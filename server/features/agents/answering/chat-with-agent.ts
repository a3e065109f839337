import type { Database, TenantScope } from '../../../platform/database.ts'
import { notFound } from '../../../platform/errors.ts'
import { newId } from '../../../platform/ids.ts'
import type { SecretBox } from '../../../platform/secrets.ts'
import { openAgent } from '../open-agent.ts'
import { addTurns, findSession } from '../queries.ts'
import type { ChatAnswer, ChatMessage } from '../schema.ts'
import { converse } from './converse.ts'
import { refuseFailedModel } from './refuse-failed-model.ts'
import type { Conversing, ToolUse, Turn, TurnEvent } from './turn.ts'

export interface Chatting extends Conversing {
  database: Database
  secrets: SecretBox
}

/** Turns kept of a session: enough for any trial, few enough for any model. */
const rememberedTurns = 40

/** One text turn with an agent, as a trial. It continues where the session stopped. */
export async function chatWithAgent(
  deps: Chatting,
  scope: TenantScope,
  agentId: string,
  { message, session_id: sessionId = newId() }: ChatMessage,
  signal: AbortSignal,
): Promise<ChatAnswer> {
  const sql = deps.database.forTenant(scope)
  const [agent, session] = await Promise.all([
    openAgent(sql, deps.secrets, agentId),
    findSession(sql, agentId, sessionId),
  ])
  if (!agent) throw notFound('Agent')
  const history = (session?.turns ?? []) as Turn[]
  const turn = { scope, agent, medium: 'text' as const, history, heard: message, now: new Date(), signal }
  const events = await refuseFailedModel(signal, () => Array.fromAsync(converse(deps, turn)))
  const answer = summed(events)
  const added: Turn[] = [
    { speaker: 'caller', text: message },
    { speaker: 'agent', text: withChoices(answer), ...(answer.uses.length > 0 && { tools: answer.uses }) },
  ]
  await deps.database.inTenant(scope, (tx) => addTurns(tx, agentId, sessionId, added, rememberedTurns))
  const { uses: _, ...shown } = answer
  return { session_id: sessionId, agent_id: agentId, agent_version: agent.version, ...shown }
}

const withChoices = ({ reply, choices }: Pick<ChatAnswer, 'reply' | 'choices'>) =>
  [reply, ...choices.map((choice) => `• ${choice}`)].join('\n')

function summed(events: TurnEvent[]) {
  const of = <T extends TurnEvent['type']>(type: T) =>
    events.filter((event): event is Extract<TurnEvent, { type: T }> => event.type === type)
  const results = new Map(of('tool_result').map((result) => [result.id, result]))
  const calls = of('tool_call').map((call) => ({ ...call, ...results.get(call.id) }))
  const action = events.find(({ type }) => type === 'handoff' || type === 'end_call' || type === 'transfer')
  const [done] = of('done')
  return {
    reply: done?.text ?? '',
    choices: of('choices').flatMap(({ choices }) => choices),
    action: action && 'reason' in action ? { type: action.type as 'handoff', reason: action.reason } : null,
    tool_calls: calls.map(({ name, arguments: given, result = '', is_error = true }) => ({
      name,
      arguments: given,
      result,
      is_error,
    })),
    sources: (done?.sources ?? []).map(({ document_id, file_name, page }) => ({ document_id, file_name, page })),
    usage: done?.usage ?? { input_tokens: 0, output_tokens: 0, model: '' },
    uses: calls.map(({ id, name, arguments: given, result = '' }): ToolUse => ({ id, name, arguments: given, result })),
  }
}
