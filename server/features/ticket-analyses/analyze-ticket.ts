import type { Database, TenantScope } from '../../platform/database.ts'
import { emit } from '../../platform/events.ts'
import { newId } from '../../platform/ids.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import { storable } from '../../platform/storable.ts'
import { LlmError } from '../../providers/llm/contract.ts'
import { turnOf } from '../agent-replies/turn-of-conversation.ts'
import { countTokens } from '../agents/answering/count-tokens.ts'
import type { Conversation, Conversing, Summary } from '../agents/answering/turn.ts'
import { openAgent } from '../agents/open-agent.ts'
import { asksForResults, assessConversation } from '../agents/results/assess-conversation.ts'
import { writeToContact } from '../agents/results/write-to-contact.ts'
import { summarize } from '../agents/texts/summarize.ts'
import { readConversation } from '../inbox/messages/read-conversation.ts'
import { ticketAnalyzed } from './events.ts'
import { findTicketToAnalyze, lockTicketToAnalyze, saveAnalysis } from './queries.ts'

export interface Analyzing extends Conversing {
  database: Database
  secrets: SecretBox
}

const readMessages = 300

/**
 * Stores a summary of a closed ticket, and the results that its agent's settings ask for. Throws if a passing fault of
 * the model left neither, so that the job is retried.
 */
export async function analyzeTicket(
  deps: Analyzing,
  scope: TenantScope,
  ticketId: string,
  signal: AbortSignal,
): Promise<void> {
  const { database, secrets } = deps
  const sql = database.forTenant(scope)
  const ticket = await findTicketToAnalyze(sql, ticketId)
  const agent = ticket && (await openAgent(sql, secrets, ticket.agent_id))
  if (!agent || !(agent.config.memory.enabled || asksForResults(agent.config.results))) return
  const read = await readConversation(sql, ticketId, readMessages)
  const turns = read ? turnOf(read, []).history : []
  if (!turns.some(({ speaker }) => speaker === 'caller')) return
  const conversation: Conversation = { scope, agent, turns, medium: 'chat', signal }
  const [summary, assessed] = await Promise.all([summaryOf(deps, conversation), assessConversation(deps, conversation)])
  const { written, fault } = summary
  for (const usage of [written?.usage, assessed?.usage]) if (usage) await countTokens(deps, scope, usage)
  if (!written && (!assessed || assessed.fault)) {
    const passing = [fault, assessed?.fault].find((each) => each?.isPassing)
    if (passing) throw passing
    return
  }
  await database.inTenant(scope, async (tx) => {
    const locked = await lockTicketToAnalyze(tx, ticketId)
    // Messages that were read are not in the summary of what the ticket has now: its next job writes that.
    if (locked?.last_message_id !== ticket.last_message_id) return
    const results = assessed ? await writeToContact(tx, locked.contact_id, { agent, assessed }) : null
    const analysis = await saveAnalysis(tx, {
      id: newId(),
      ticketId,
      lastMessageId: locked.last_message_id,
      contact_id: locked.contact_id,
      agent_id: agent.id,
      agent_version: agent.version,
      summary: storable(written?.summary ?? ''),
      summary_by: written?.usage.model ?? null,
      results,
      closed_at: locked.closed_at,
    })
    await emit(tx, ticketAnalyzed, analysis)
  })
}

/** The fault if the model failed: the results may still be there. */
async function summaryOf(
  deps: Analyzing,
  conversation: Conversation,
): Promise<{ written?: Summary; fault?: LlmError }> {
  try {
    return { written: await summarize(deps, conversation) }
  } catch (error) {
    conversation.signal.throwIfAborted()
    if (!(error instanceof LlmError)) throw error
    deps.log.warn({ err: error, agent_id: conversation.agent.id }, 'ticket analyses: summary failed')
    return { fault: error }
  }
}
