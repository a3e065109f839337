import { wordsOf } from '../../platform/content-words.ts'
import { documentsOf } from '../knowledge/collections/find-collections.ts'
import { type Passages, retrievePassages } from '../knowledge/retrieval/retrieve-passages.ts'
import { smallTalkIn } from './language/small-talk.ts'
import type { Conversing, OpenAgent, TurnInput } from './turn.ts'

/** How long one search may take, by medium: a caller hears the silence. */
export const searchLimitMs = { voice: 800, chat: 2000, text: 2000, draft: 2000 }
const nothing: Passages = { sources: [], prompt: '', searched: false }

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

/** What the documents of the agent say about the question. Without them the agent still answers. */
export async function findPassages(deps: Pick<Conversing, 'knowledge' | 'log'>, turn: TurnInput): Promise<Passages> {
  const { agent, scope, history, heard, medium, signal } = turn
  if (!readsKnowledge(agent) || smallTalkIn(heard)) return nothing
  try {
    const question = wordsOf(heard).length < 4 ? `${lastQuestion(history)} ${heard}` : heard
    const documentIds = await documentsToRead(deps, turn)
    return await retrievePassages(deps.knowledge, scope, question.slice(-1000).toWellFormed(), {
      timeoutMs: searchLimitMs[medium],
      ...(documentIds && { documentIds }),
    })
  } catch (error) {
    signal.throwIfAborted()
    deps.log.warn({ err: error, agent_id: agent.id }, 'agents: answering without the knowledge base')
    return nothing
  }
}

/** "And on Sundays?" refers to the question before it. */
const lastQuestion = (history: TurnInput['history']): string =>
  history.findLast(({ speaker, text }) => speaker === 'caller' && !smallTalkIn(text))?.text ?? ''
