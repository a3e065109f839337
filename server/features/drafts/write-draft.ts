import type { Database, TenantScope } from '../../platform/database.ts'
import { conflict, found, invalid } from '../../platform/errors.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import { turnOf } from '../agent-replies/turn-of-conversation.ts'
import { converse } from '../agents/answering/converse.ts'
import { countTokens } from '../agents/answering/count-tokens.ts'
import { refuseFailedModel } from '../agents/answering/refuse-failed-model.ts'
import type { Conversing, OpenAgent, Usage } from '../agents/answering/turn.ts'
import { completeConfig } from '../agents/config/complete-config.ts'
import { openAgent } from '../agents/open-agent.ts'
import { summarize } from '../agents/texts/summarize.ts'
import { translate } from '../agents/texts/translate.ts'
import { type Conversation, readConversation } from '../inbox/messages/read-conversation.ts'
import type { Source } from '../knowledge/retrieval/retrieve-passages.ts'
import { findDraftingAgent, findNoteTexts } from './queries.ts'
import type { Draft, NewDraft } from './schema.ts'

export interface Drafting extends Conversing {
  database: Database
  secrets: SecretBox
}

interface Written {
  text: string
  sources: Source[]
  usage: Usage
}

/** What a draft is written from. */
interface Material {
  scope: TenantScope
  agent: OpenAgent
  conversation: Conversation
  notes: string[]
  language: string | undefined
  signal: AbortSignal
}

/** Messages that the model reads. A reply needs as many as an agent's answer does. */
const readMessages = { reply: 30, summary: 300, translation: 1 }
const mostNotes = 50

/** Writes a text for a member to check. Nothing is stored or sent. */
export async function writeDraft(
  deps: Drafting,
  scope: TenantScope,
  ticketId: string,
  given: NewDraft,
  signal: AbortSignal,
): Promise<Draft> {
  const { kind } = given
  const language = checkLanguage(given)
  const text = checkText(given)
  const sql = deps.database.forTenant(scope)
  const [conversation, agent, notes] = await Promise.all([
    readConversation(sql, ticketId, readMessages[kind]),
    openDraftingAgent(deps, scope, ticketId),
    given.include_notes ? findNoteTexts(sql, ticketId, mostNotes) : [],
  ])
  const material = {
    scope,
    agent,
    conversation: found(conversation, 'Inbox ticket'),
    notes: notes.map(({ body }) => body),
    language,
    signal,
  }
  const written = await refuseFailedModel(signal, () => {
    if (kind === 'reply') return writeReply(deps, material)
    return kind === 'summary' ? writeSummary(deps, material) : writeTranslation(deps, material, text)
  })
  return { kind, text: written.text, agent_id: agent.id || null, sources: each(written.sources), usage: written.usage }
}

/** The English name of the language. */
function checkLanguage({ kind, language }: NewDraft): string | undefined {
  if (language === undefined) {
    if (kind === 'translation') throw invalid(['body', 'language'], 'A translation needs a language')
    return undefined
  }
  const name = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }).of(language)
  if (name === undefined) throw invalid(['body', 'language'], `${language} is not a known language`)
  return name
}

function checkText({ kind, text, include_notes }: NewDraft): string {
  if (kind !== 'translation') {
    if (text !== undefined) throw invalid(['body', 'text'], `A ${kind} is written from the conversation: omit the text`)
    return ''
  }
  if (text === undefined) throw invalid(['body', 'text'], 'A translation needs a text')
  if (include_notes) throw invalid(['body', 'include_notes'], 'A translation does not use notes')
  return text
}

/** Without an agent to use, the default model writes, with the whole knowledge base and no instructions of an agent. */
async function openDraftingAgent(
  { database, secrets }: Drafting,
  scope: TenantScope,
  ticketId: string,
): Promise<OpenAgent> {
  const sql = database.forTenant(scope)
  const ref = await findDraftingAgent(sql, ticketId)
  const agent = ref && (await openAgent(sql, secrets, ref.id))
  if (agent) return agent
  const config = completeConfig()
  return { id: '', version: 0, name: 'the assistant', type: 'prompt', isActive: true, timezone: null, config }
}

/** The reply is to the contact's last messages, also where one was already sent. */
async function writeReply(deps: Drafting, material: Material): Promise<Written> {
  const { messages } = material.conversation
  const last = messages.findLastIndex(({ direction }) => direction === 'inbound')
  if (last === -1) throw conflict('The contact has not written in this conversation, so there is nothing to reply to')
  const first = messages.slice(0, last).findLastIndex(({ direction }) => direction === 'outbound') + 1
  const turn = turnOf(
    material.conversation,
    messages.slice(first, last + 1).map(({ id }) => id),
  )
  for await (const event of converse(deps, { ...material, ...turn, medium: 'draft', now: new Date() }))
    if (event.type === 'done') return event
  throw new Error('the turn ended without its last event')
}

async function writeSummary(deps: Drafting, material: Material): Promise<Written> {
  const { history: turns } = turnOf(material.conversation, [])
  if (turns.length === 0) throw conflict('This conversation has no messages to summarize')
  const { summary, usage } = await summarize(deps, { ...material, turns, medium: 'chat' })
  await countTokens(deps, material.scope, usage)
  return { text: summary, sources: [], usage }
}

async function writeTranslation(deps: Drafting, material: Material, text: string): Promise<Written> {
  const { language = '', ...rest } = material
  const written = await translate(deps, { ...rest, language, text })
  await countTokens(deps, material.scope, written.usage)
  return { ...written, sources: [] }
}

/** Several passages may be of one page. */
function each(sources: Source[]): Draft['sources'] {
  const pages = sources.map(({ document_id, file_name, page }) => ({ document_id, file_name, page }))
  return [...new Map(pages.map((source) => [`${source.document_id} ${source.page}`, source])).values()]
}
