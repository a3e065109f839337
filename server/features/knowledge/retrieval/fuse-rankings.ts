export interface Hit {
  document_id: string
  ordinal: number
  score: number
}

export interface Ranking {
  /** Best first. */
  hits: Hit[]
  /** Its share of the sum. */
  weight: number
  /** From 0 to 1: how much its first hit can be an answer at all. */
  trust: number
}

/** What one ranking puts first is worth a little more than its share: the other may not understand the question at all. */
const firstCounts = 0.2

/**
 * One ranking out of several. Scores of different kinds cannot be added, so each ranking is stretched between its worst,
 * 0, and its best, 1; what a ranking does not have counts as its worst. Compared with fusing by rank this keeps how far
 * ahead the first is (`bench/retrieval.ts` tells what each half and both together find).
 */
export function fuseRankings(rankings: Ranking[]): Hit[] {
  const fused = new Map<string, Hit & { best: number }>()
  for (const { hits, weight, trust } of rankings) {
    const first = hits[0]?.score ?? 0
    const last = hits.at(-1)?.score ?? 0
    for (const { document_id, ordinal, score } of hits) {
      const share = first > last ? (score - last) / (first - last) : 1
      const key = `${document_id} ${ordinal}`
      const known = fused.get(key) ?? { document_id, ordinal, score: 0, best: 0 }
      fused.set(key, { ...known, score: known.score + weight * share, best: Math.max(known.best, trust * share) })
    }
  }
  return [...fused.values()]
    .map(({ best, score, ...hit }) => ({ ...hit, score: (score + firstCounts * best) / (1 + firstCounts) }))
    .sort(byScore)
}

/** Ties are settled the same way every time. */
export const byScore = (a: Hit, b: Hit) =>
  b.score - a.score || (a.document_id < b.document_id ? -1 : a.document_id > b.document_id ? 1 : a.ordinal - b.ordinal)
