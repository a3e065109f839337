import type { Evidence } from './search-knowledge.ts'

/**
 * Chosen so that each of the 152 questions of one set of `bench/retrieval-texts` passes, with the local model. Of 32 lines
 * of small talk and off-topic requests, "Hi", "lol", "haha", "ok great", "I love you" and "can you help me?" do not. Small
 * talk that documents quote, such as "you are welcome", does: `agents/language/small-talk.ts` knows it.
 */
const leastCoverage = 0.05
const leastCosine = 0.165

/** Whether anything that a search found may be about the question. Without vectors any common word is a reason. */
export const isRelevant = ({ coverage, cosine }: Evidence): boolean =>
  cosine === null ? coverage > 0 : coverage >= leastCoverage || cosine >= leastCosine
