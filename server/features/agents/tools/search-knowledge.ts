import { retrievePassages, type Source, writePassages } from '../../knowledge/retrieval/retrieve-passages.ts'
import type { Conversing, TurnInput } from '../answering/turn.ts'
import { enclosed, newFence } from '../passages/fence.ts'
import { documentsToRead, readsKnowledge, searchLimit } from '../passages/find-passages.ts'
import { mostQueries, tidyQueries } from '../passages/rewrite-question.ts'
import { failed, type RunnableTool } from './contract.ts'

export const searchToolName = 'search_knowledge'

/** Tokens that all results of one call may take. */
const resultTokens = 2000

/**
 * Lets a hosted model search for itself: in other words, in the language of the documents, or for each part of a
 * question. Test mode calls no hosted model, and a draft has no tools. What is found is added to `shown`, and numbered
 * after what the model was shown before.
 */
export function searchTool(deps: Conversing, turn: TurnInput, shown: Source[]): RunnableTool[] {
  const { agent, scope, medium } = turn
  if (!scope.livemode || medium === 'draft' || !readsKnowledge(agent)) return []
  let left = mostQueries
  const search = async (queries: string[]) => {
    const documentIds = await documentsToRead(deps, turn)
    const options = {
      timeoutMs: searchLimit(deps, medium),
      maxTokens: resultTokens,
      ...(documentIds && { documentIds }),
    }
    return retrievePassages(deps.knowledge, scope, queries, options)
  }
  return [
    {
      name: searchToolName,
      description:
        'Search the documents of the organization again: in other words, in the language of the documents, or for each part of a question. Up to three queries in a turn. Not for what the knowledge in your instructions already answers.',
      parameters: {
        type: 'object',
        properties: {
          queries: { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1, maxItems: mostQueries },
        },
        required: ['queries'],
      },
      // Shorter than any filler: by default it takes 800 ms at most on a call.
      sayWhileRunning: null,
      async run({ queries }, signal) {
        if (left === 0) return failed('The searches of this turn are used up. Answer from what you have.')
        const wanted = tidyQueries(queries as string[]).slice(0, left)
        left -= wanted.length
        const found = await search(wanted).catch((error) => {
          signal.throwIfAborted()
          deps.log.warn({ err: error, agent_id: agent.id }, 'agents: knowledge search of a model failed')
          return undefined
        })
        if (!found) return failed('The search is not available now. Answer from what you have.')
        const known = new Set(shown.map(({ chunk_id }) => chunk_id))
        const results = found.sources.filter(({ chunk_id }) => !known.has(chunk_id))
        const { sources, prompt } = writePassages(results, { maxTokens: resultTokens, firstNumber: shown.length + 1 })
        if (sources.length === 0) return { result: 'Nothing more was found.', isError: false }
        shown.push(...sources)
        return { result: enclosed('knowledge', newFence(), prompt), isError: false }
      },
    },
  ]
}
