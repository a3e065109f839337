import { setTimeout as sleep } from 'node:timers/promises'
import type { TenantScope, TenantTx } from '../../platform/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import { isSuspended } from '../../platform/suspended.ts'
import { LlmError } from '../../providers/llm/contract.ts'
import { converse } from '../agents/answering/converse.ts'
import type { Conversing, OpenAgent } from '../agents/answering/turn.ts'
import { linesIn } from '../agents/language/lines.ts'
import { readMemory } from '../agents/memory/read-memory.ts'
import { openAgent } from '../agents/open-agent.ts'
import { markRead } from '../inbox/messages/mark-read.ts'
import { readConversation } from '../inbox/messages/read-conversation.ts'
import { offerChoices } from '../inbox/rich/offer-choices.ts'
import { type Guard, NoLongerWanted, type Sending, sendMessage } from '../inbox/sending/send-message.ts'
import { recordQuestion } from '../knowledge/gaps/record-question.ts'
import { handOff } from './hand-off.ts'
import {
  countAttempt,
  findHandling,
  findTicketState,
  lockHandling,
  recordAnswer,
  removeWaiting,
  type TicketState,
} from './queries.ts'
import { turnOf } from './turn-of-conversation.ts'

export interface Answering extends Conversing, Sending {
  secrets: SecretBox
  /** How long to wait for another message of the same contact before answering. */
  delayMs: number
  answersPerHour: number
}

/** The first waiting message is answered after at most 20 s, however much the contact keeps writing. */
const longestWaitMs = 20_000
const rememberedMessages = 30
const mostAttempts = 4

/**
 * The situation changed while the answer was composed. `drop`: no agent should answer. `leave`: the job of a later
 * message answers. `again`: this job starts over.
 */
class Superseded extends Error {
  readonly next: 'drop' | 'leave' | 'again'
  constructor(next: Superseded['next']) {
    super('the answer is no longer wanted')
    this.next = next
  }
}

/**
 * Answers all waiting messages of a ticket with one message. Nothing is answered twice: the waiting rows are deleted in
 * the transaction that stores the answer, under the contact's lock, which a person who takes over also needs.
 */
export async function answerTicket(
  deps: Answering,
  scope: TenantScope,
  waiting: { ticketId: string; messageId: string },
  signal: AbortSignal,
): Promise<void> {
  const { ticketId, messageId } = waiting
  const sql = deps.database.forTenant(scope)
  const state = await waitForPause(deps, scope, ticketId, messageId, signal)
  if (!state) return
  const drop = async () => void (await deps.database.inTenant(scope, (tx) => removeWaiting(tx, state.waiting)))
  const agent = isWanted(state) ? await openAgent(sql, deps.secrets, state.agent_id as string) : undefined
  if (!agent) return drop()
  const leave = (reason: string, gap?: OpenQuestion) =>
    leaveToPerson(deps, scope, { state, agent, reason, gap, ticketId })
  if (state.answers_this_hour >= deps.answersPerHour)
    return leave('The agent reached its limit of answers per hour: the contact may be another machine')
  const attempts = await deps.database.inTenant(scope, (tx) => countAttempt(tx, state.waiting))
  try {
    const typing = showTyping(deps, scope, state)
    const { text, choices, handoff, gap } = await runAgent(deps, scope, ticketId, { state, agent, signal })
    if (text === '') return handoff === undefined ? drop() : leave(handoff, gap)
    const guard = guardOf(deps, scope, ticketId, { state, agent, handoff, gap })
    const reply =
      choices.length > 0
        ? offerChoices(text, choices, linesIn(agent.config.language).choose)
        : { body: text, contextMessageId: null }
    // An indicator that reaches the platform after the answer would stay for 25 s.
    await typing
    await sendMessage(deps, scope, ticketId, reply, { actor: { type: 'ai', id: agent.id }, guard })
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof NoLongerWanted) return
    if (error instanceof Superseded) {
      if (error.next === 'again') return answerTicket(deps, scope, waiting, signal)
      return error.next === 'drop' ? drop() : undefined
    }
    if (error instanceof LlmError) {
      if (!isFinal(error) && attempts.every((each) => each.attempts < mostAttempts)) throw error
      return leave(`The agent could not answer: ${error.message}`)
    }
    if (error instanceof AppError && error.status === 502)
      return leave(`The agent’s answer was not confirmed: ${error.message}`)
    if (!(error instanceof AppError) || error.status >= 500) throw error
    // The window has closed or the contact is gone: a retry would change nothing.
    deps.log.info({ ticket_id: ticketId, reason: error.message }, 'agent reply: refused, not answering')
    await drop()
  }
}

/** A retry would fail too, or would run the agent's tools again. */
const isFinal = ({ fault }: LlmError): boolean =>
  fault === 'unconfigured' || fault === 'refused' || fault === 'no_answer'

/** Waits until the contact has paused. The job of the newest message continues, the others end. */
async function waitForPause(
  { database, delayMs }: Answering,
  scope: TenantScope,
  ticketId: string,
  messageId: string,
  signal: AbortSignal,
): Promise<TicketState | undefined> {
  for (;;) {
    const state = await findTicketState(database.forTenant(scope), ticketId)
    if (!state?.waiting.includes(messageId)) return undefined
    const isOverdue = state.oldest_ms >= longestWaitMs
    if (state.waiting.at(-1) !== messageId && !isOverdue) return undefined
    const leftMs = Math.min(delayMs - state.newest_ms, longestWaitMs - state.oldest_ms)
    if (leftMs <= 0) return state
    await sleep(leftMs, undefined, { signal })
  }
}

const isWanted = (state: TicketState): boolean =>
  state.status === 'open' &&
  state.ai_handling &&
  state.agent_id !== null &&
  state.is_open &&
  !state.has_opted_out &&
  !state.is_blocked &&
  !state.person_answered

/** Whether no message that the answer is based on was edited since. */
const isUnchanged = (before: TicketState, now: TicketState): boolean =>
  before.waiting.every((id, i) => now.versions[now.waiting.indexOf(id)] === before.versions[i])

/** Optional: if the platform refuses it, the agent answers all the same. */
const showTyping = (deps: Answering, scope: TenantScope, { waiting }: TicketState): Promise<void> =>
  markRead(deps, scope, waiting.at(-1) as string, { isTyping: true }).catch((err) =>
    deps.log.debug({ err }, 'agent reply: typing indicator failed'),
  )

interface AgentRun {
  state: TicketState
  agent: OpenAgent
  signal: AbortSignal
}

async function runAgent(deps: Answering, scope: TenantScope, ticketId: string, { state, agent, signal }: AgentRun) {
  const sql = deps.database.forTenant(scope)
  const conversation = await readConversation(sql, ticketId, rememberedMessages)
  if (!conversation) throw new Superseded('drop')
  const turn = turnOf(conversation, state.waiting)
  const memory = await readMemory(sql, agent, { contactId: turn.contact.id, ticketId })
  let text = ''
  let choices: string[] = []
  let handoff: string | undefined
  let gap: OpenQuestion | undefined
  for await (const event of converse(deps, {
    ...turn,
    memory,
    scope,
    agent,
    medium: 'chat',
    now: new Date(),
    signal,
  })) {
    if (event.type === 'done') text = event.text
    if (event.type === 'done' && event.unanswered) gap = { text: turn.heard, reason: event.unanswered }
    if (event.type === 'choices') choices = event.choices
    if (event.type === 'handoff' || event.type === 'transfer') handoff = event.reason
  }
  return { text, choices, handoff, gap }
}

interface Answer {
  state: TicketState
  agent: OpenAgent
  handoff: string | undefined
  gap: OpenQuestion | undefined
}

/** What the agent could not answer. */
type OpenQuestion = Pick<Parameters<typeof recordQuestion>[1], 'text' | 'reason'>

/** Under the id of the newest message that the answer is to. */
const recordGap = async (
  tx: TenantTx,
  { state, agent, gap, ticketId }: Omit<Answer, 'handoff'> & { ticketId: string },
) =>
  gap &&
  recordQuestion(tx, {
    ...gap,
    askedIn: `message ${state.waiting.at(-1)}`,
    contactId: state.contact_id,
    ticketId,
    callId: null,
    agentId: agent.id,
  })

/** The final checks: with the contact locked when the answer is stored, and again before each attempt to send it. */
function guardOf(deps: Answering, scope: TenantScope, ticketId: string, answer: Answer): Guard {
  const { state, agent, handoff } = answer
  return {
    async beforeStoring(tx, answerId) {
      // The job runs again, and then waits until the suspension is lifted.
      if (await isSuspended(tx)) throw new Error('the organization was suspended')
      const now = await findTicketState(tx, ticketId)
      if (!now || !isWanted(now)) throw new Superseded('drop')
      if (now.agent_id !== agent.id) throw new Superseded('again')
      // A message was added: its job answers all of them, unless the first one has waited too long.
      if (now.waiting.at(-1) !== state.waiting.at(-1) && now.oldest_ms < longestWaitMs) throw new Superseded('leave')
      // A message was edited or deleted while the model was running: start over with the current text.
      if (!isUnchanged(state, now)) throw new Superseded('again')
      // Another answer covered some of these messages: start over with the rest.
      if ((await removeWaiting(tx, state.waiting)) !== state.waiting.length) throw new Superseded('again')
      await recordAnswer(tx, answerId, now.contact_id)
      await recordGap(tx, { ...answer, state: { ...state, contact_id: now.contact_id }, ticketId })
      if (handoff !== undefined) await handOff(tx, deps, { state: now, agent, reason: handoff })
    },
    async beforeAttempt() {
      // A hand-off sets `ai_handling` to false itself; its message to the contact is still sent.
      if (handoff !== undefined) return
      const contact = await findHandling(deps.database.forTenant(scope), state.contact_id)
      if (!contact?.ai_handling) throw new NoLongerWanted()
    },
  }
}

async function leaveToPerson(
  deps: Answering,
  scope: TenantScope,
  { state, agent, reason, gap, ticketId }: Omit<Answer, 'handoff'> & { reason: string; ticketId: string },
): Promise<void> {
  await deps.database.inTenant(scope, async (tx) => {
    const contact = await lockHandling(tx, state.contact_id)
    // Another job that answered them has recorded the question too.
    if ((await removeWaiting(tx, state.waiting)) > 0) await recordGap(tx, { state, agent, gap, ticketId })
    if (contact?.ai_handling) await handOff(tx, deps, { state, agent, reason })
  })
}
