import type { Hit } from './fuse-rankings.ts'

/** How many of the nearest passages keep a place, and among how many of the first results. */
export const mostKept = 2
const among = 5

/**
 * Passages that share many words with the question can push out the one that says the same in other words: the nearest
 * by vector stay among the first results.
 */
export function keepNearest<T extends Hit>(ranked: T[], nearest: Hit[]): T[] {
  const isKept = (hit: Hit) => nearest.some((each) => isSame(each, hit))
  const [first, others] = [ranked.slice(0, among), ranked.slice(among)]
  const late = others.filter(isKept)
  if (late.length === 0) return ranked
  const lowest = first.filter((hit) => !isKept(hit)).slice(-late.length)
  const staying = first.filter((hit) => !lowest.includes(hit))
  const score = staying.at(-1)?.score ?? 0
  return descending([
    ...staying,
    ...late.map((hit) => ({ ...hit, score })),
    ...lowest,
    ...others.filter((hit) => !late.includes(hit)),
  ])
}

export const isSame = (one: Hit, other: Hit) => one.document_id === other.document_id && one.ordinal === other.ordinal

/** No score is higher than the one before it. */
function descending<T extends Hit>(hits: T[]): T[] {
  let highest = Number.POSITIVE_INFINITY
  return hits.map((hit) => {
    highest = Math.min(highest, hit.score)
    return { ...hit, score: highest }
  })
}
