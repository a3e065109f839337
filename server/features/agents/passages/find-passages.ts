import { contentWords, wordsOf } from '../../../platform/content-words.ts'
import { languageOf } from '../../../platform/language-of.ts'
import { once } from '../../../platform/once.ts'
import { documentsOf } from '../../knowledge/collections/find-collections.ts'
import { documentLanguages } from '../../knowledge/retrieval/document-languages.ts'
import { type Passages, retrievePassages } from '../../knowledge/retrieval/retrieve-passages.ts'
import type { Conversing, OpenAgent, TurnInput, Usage } from '../answering/turn.ts'
import { smallTalkIn } from '../language/small-talk.ts'
import { mayRewrite, rewriteQuestion } from './rewrite-question.ts'

/** How long one search may take: a caller hears the silence. */
export const searchLimit = ({ searchMs }: Conversing, medium: TurnInput['medium']): number =>
  medium === 'voice' ? Math.round(searchMs * 0.4) : searchMs

const nothing: Passages = { sources: [], prompt: '', searched: false, coverage: 0 }

/** Whether the agent answers from documents at all. */
export const readsKnowledge = ({ type, config: { knowledge } }: OpenAgent): boolean =>
  type !== 'static' && (knowledge.all || knowledge.document_ids.length > 0 || knowledge.collection_ids.length > 0)

/** The documents that the agent reads; undefined for all of them. */
export async function documentsToRead(
  { knowledge }: Pick<Conversing, 'knowledge'>,
  { agent, scope }: TurnInput,
): Promise<string[] | undefined> {
  const { all, document_ids: documentIds, collection_ids: collectionIds } = agent.config.knowledge
  return all ? undefined : documentsOf(knowledge.database.forTenant(scope), { documentIds, collectionIds })
}

/**
 * What the documents of the agent say about the question. A hosted model first writes search queries for a question in
 * another language than the documents, or one that refers to what was said before. Without documents the agent still
 * answers. Tokens are added to `usage`.
 */
export async function findPassages(deps: Conversing, turn: TurnInput, usage: Usage): Promise<Passages> {
  const { agent, scope, history, heard, medium, signal } = turn
  if (!readsKnowledge(agent)) return nothing
  const before = lastQuestion(history)
  const smallTalk = smallTalkIn(heard)
  // A model may still have to answer what was asked before a "yes".
  if (smallTalk && (smallTalk.kind !== 'assent' || before === '')) return nothing
  try {
    const asked = wordsOf(heard).length < 4 ? `${before} ${heard}` : heard
    const documentIds = await documentsToRead(deps, turn)
    const options = { timeoutMs: searchLimit(deps, medium), ...(documentIds && { documentIds }) }
    const search = (...questions: string[]) => retrievePassages(deps.knowledge, scope, questions, options)
    const question = asked.slice(-1000).toWellFormed()
    const found = await search(question)
    if (!found.searched || !mayRewrite(turn)) return found
    const isFollowUp = before !== '' && contentWords(heard).size < followUpWords
    if (found.coverage >= clearCoverage && !isFollowUp) return found
    const languages = await documentLanguages(deps.knowledge.database.forTenant(scope), documentIds)
    if (!isFollowUp && !isForeign(heard, languages, found)) return found
    const queries = await rewriteQuestion(deps, turn, { languages, usage })
    return queries.length > 0 ? await search(question, ...queries) : found
  } catch (error) {
    signal.throwIfAborted()
    deps.log.warn({ err: error, agent_id: agent.id }, 'agents: answering without the knowledge base')
    return nothing
  }
}

/** A question whose words are in the documents needs no translation. */
const clearCoverage = 0.5

/** Where its language is unknown, a question that shares hardly a word with the documents counts as foreign. */
const foreignCoverage = 0.1

/** "And on Sundays?", "What does it cost?": fewer words than this, after a question, refer to it. */
const followUpWords = 3

const names = once(() => new Intl.DisplayNames('en', { type: 'language' }))

function isForeign(heard: string, languages: string[], { coverage }: Passages): boolean {
  const language = languageOf(heard, '')
  if (language === '' || languages.length === 0) return coverage < foreignCoverage
  return !languages.includes(names().of(language) ?? '')
}

/** "And on Sundays?" refers to the question before it. */
const lastQuestion = (history: TurnInput['history']): string =>
  history.findLast(({ speaker, text }) => speaker === 'caller' && !smallTalkIn(text))?.text ?? ''
