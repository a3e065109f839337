import { type Passages, retrievePassages } from '../knowledge/retrieval/retrieve-passages.ts'
import type { Conversing, TurnInput } from './turn.ts'

const timeLimits = { voice: 800, chat: 2000, text: 2000, draft: 2000 }
const nothing: Passages = { sources: [], prompt: '' }

/** What the documents of the agent say about the question. Without them the agent still answers. */
export async function findPassages(
  { knowledge, log }: Pick<Conversing, 'knowledge' | 'log'>,
  { agent, scope, history, heard, medium, signal }: TurnInput,
): Promise<Passages> {
  const { all, document_ids: documentIds } = agent.config.knowledge
  if (agent.type === 'static' || (!all && documentIds.length === 0)) return nothing
  try {
    const question = heard.trim().split(/\s+/).length < 4 ? `${lastQuestion(history)} ${heard}` : heard
    return await retrievePassages(knowledge, scope, question.slice(-1000).toWellFormed(), {
      timeoutMs: timeLimits[medium],
      ...(!all && { documentIds }),
    })
  } catch (error) {
    signal.throwIfAborted()
    log.warn({ err: error, agent_id: agent.id }, 'agents: answering without the knowledge base')
    return nothing
  }
}

/** "And on Sundays?" refers to the question before it. */
const lastQuestion = (history: TurnInput['history']): string =>
  history.findLast(({ speaker }) => speaker === 'caller')?.text ?? ''
