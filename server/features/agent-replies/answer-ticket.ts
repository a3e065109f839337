import { setTimeout as sleep } from 'node:timers/promises'
import type { TenantScope } from '../../platform/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import { LlmError } from '../../providers/llm/contract.ts'
import { converse } from '../agents/converse.ts'
import { openAgent } from '../agents/open-agent.ts'
import type { Conversing, OpenAgent } from '../agents/turn.ts'
import { readConversation } from '../inbox/read-conversation.ts'
import { type Guard, NoLongerWanted, type Sending, sendMessage } from '../inbox/send-message.ts'
import { handOver } from './hand-over.ts'
import { countAttempt, type Desk, findDesk, findHandling, lockHandling, noteAnswer, takeAway } from './queries.ts'
import { turnOf } from './turn-of-conversation.ts'

export interface Answering extends Conversing, Sending {
  secrets: SecretBox
  /** How long to wait for another message of the same contact. */
  delayMs: number
  answersPerHour: number
}

/** However much a contact writes, the first message is answered after this long. */
const longestWaitMs = 20_000
const rememberedMessages = 30
const mostAttempts = 4

/**
 * Something happened meanwhile that makes this answer the wrong one: nobody should answer any more, a later message's job
 * answers, or this one has to think again.
 */
class Superseded extends Error {
  readonly next: 'drop' | 'leave' | 'again'
  constructor(next: Superseded['next']) {
    super('the answer is no longer wanted')
    this.next = next
  }
}

/**
 * Answers what waits in a ticket, in one message. Nothing is answered twice: the messages stop waiting in the very
 * transaction that writes the answer down, under the lock of the contact, which is also where a person takes over.
 */
export async function answerTicket(
  deps: Answering,
  scope: TenantScope,
  waiting: { ticketId: string; messageId: string },
  signal: AbortSignal,
): Promise<void> {
  const { ticketId, messageId } = waiting
  const sql = deps.database.forTenant(scope)
  const desk = await quietDesk(deps, scope, ticketId, messageId, signal)
  if (!desk) return
  const drop = async () => void (await deps.database.inTenant(scope, (tx) => takeAway(tx, desk.waiting)))
  const agent = isWanted(desk) ? await openAgent(sql, deps.secrets, desk.agent_id as string) : undefined
  if (!agent) return drop()
  const leave = (reason: string) => leaveToPerson(deps, scope, { desk, agent, reason })
  if (desk.answers_this_hour >= deps.answersPerHour)
    return leave('The agent answered more often within an hour than it should: this may be another machine')
  const attempts = await deps.database.inTenant(scope, (tx) => countAttempt(tx, desk.waiting))
  try {
    const { text, handoff } = await think(deps, scope, ticketId, { desk, agent, signal })
    if (text === '') return handoff === undefined ? drop() : leave(handoff)
    const guard = guardOf(deps, scope, ticketId, { desk, agent, handoff })
    const reply = { body: text, contextMessageId: null }
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
    // The window has closed, or the contact is gone: another attempt would change nothing.
    deps.log.info({ ticket_id: ticketId, reason: error.message }, 'an agent could not answer')
    await drop()
  }
}

/** Another attempt would fail too, or would run the agent's tools once more. */
const isFinal = ({ fault }: LlmError): boolean =>
  fault === 'unconfigured' || fault === 'refused' || fault === 'no_answer'

/** Once the contact has paused: the newest message's job goes on, the others leave it to that one. */
async function quietDesk(
  { database, delayMs }: Answering,
  scope: TenantScope,
  ticketId: string,
  messageId: string,
  signal: AbortSignal,
): Promise<Desk | undefined> {
  for (;;) {
    const desk = await findDesk(database.forTenant(scope), ticketId)
    if (!desk?.waiting.includes(messageId)) return undefined
    const isOverdue = desk.oldest_ms >= longestWaitMs
    if (desk.waiting.at(-1) !== messageId && !isOverdue) return undefined
    const leftMs = Math.min(delayMs - desk.newest_ms, longestWaitMs - desk.oldest_ms)
    if (leftMs <= 0) return desk
    await sleep(leftMs, undefined, { signal })
  }
}

const isWanted = (desk: Desk): boolean =>
  desk.status === 'open' &&
  desk.ai_handling &&
  desk.agent_id !== null &&
  desk.is_open &&
  !desk.has_opted_out &&
  !desk.person_answered

/** Whether everything that the answer is about still says what it said. */
const isUnchanged = (before: Desk, now: Desk): boolean =>
  before.waiting.every((id, i) => now.versions[now.waiting.indexOf(id)] === before.versions[i])

interface Thinking {
  desk: Desk
  agent: OpenAgent
  signal: AbortSignal
}

async function think(deps: Answering, scope: TenantScope, ticketId: string, { desk, agent, signal }: Thinking) {
  const conversation = await readConversation(deps.database.forTenant(scope), ticketId, rememberedMessages)
  if (!conversation) throw new Superseded('drop')
  const turn = turnOf(conversation, desk.waiting)
  let text = ''
  let handoff: string | undefined
  for await (const event of converse(deps, { ...turn, scope, agent, medium: 'chat', now: new Date(), signal })) {
    if (event.type === 'done') text = event.text
    if (event.type === 'handoff' || event.type === 'transfer') handoff = event.reason
  }
  return { text, handoff }
}

interface Answer {
  desk: Desk
  agent: OpenAgent
  handoff: string | undefined
}

/** The last look before an answer counts: with the contact locked, and once more before each attempt to send it. */
function guardOf(deps: Answering, scope: TenantScope, ticketId: string, { desk, agent, handoff }: Answer): Guard {
  return {
    async beforeWritingDown(tx, answerId) {
      const now = await findDesk(tx, ticketId)
      if (!now || !isWanted(now)) throw new Superseded('drop')
      if (now.agent_id !== agent.id) throw new Superseded('again')
      // Something was added: the job of that message answers all of it, unless the first one has waited too long.
      if (now.waiting.at(-1) !== desk.waiting.at(-1) && now.oldest_ms < longestWaitMs) throw new Superseded('leave')
      // Some of it was edited or deleted while the agent was thinking: what is there now is answered.
      if (!isUnchanged(desk, now)) throw new Superseded('again')
      // Another answer took some of it: what is left is a question of its own.
      if ((await takeAway(tx, desk.waiting)) !== desk.waiting.length) throw new Superseded('again')
      await noteAnswer(tx, answerId, now.contact_id)
      if (handoff !== undefined) await handOver(tx, deps, { desk: now, agent, reason: handoff })
    },
    async beforeAttempt() {
      // Whoever hands over tells the contact all the same.
      if (handoff !== undefined) return
      const contact = await findHandling(deps.database.forTenant(scope), desk.contact_id)
      if (!contact?.ai_handling) throw new NoLongerWanted()
    },
  }
}

async function leaveToPerson(
  deps: Answering,
  scope: TenantScope,
  { desk, agent, reason }: { desk: Desk; agent: OpenAgent; reason: string },
): Promise<void> {
  await deps.database.inTenant(scope, async (tx) => {
    const contact = await lockHandling(tx, desk.contact_id)
    await takeAway(tx, desk.waiting)
    if (contact?.ai_handling) await handOver(tx, deps, { desk, agent, reason })
  })
}
