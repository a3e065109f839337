import type { Evidence } from './search-knowledge.ts'

/** Small talk that documents quote, such as "you are welcome", has more: `agents/language/small-talk.ts` knows it. */
const leastCoverage = 0.05

/** Whether anything that a search found may be about the question. Without vectors any common word is a reason. */
export const isRelevant = ({ coverage, isNear }: Evidence): boolean =>
  isNear === null ? coverage > 0 : coverage >= leastCoverage || isNear
