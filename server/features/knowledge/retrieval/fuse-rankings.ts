export interface Hit {
  document_id: string
  ordinal: number
  score: number
}

interface Ranking {
  /** Best first. */
  hits: Hit[]
  /** Its share of the sum. */
  weight: number
  /** The score that is worth nothing, which a chunk outside these hits has at most. */
  worthless: number
}

/**
 * Fuses several rankings. Scores of different kinds cannot be added, so each ranking is scaled between its floor, 0,
 * and its best, 1. Unlike fusion by rank this keeps how far ahead the first one is (`bench/retrieval.ts` measures each
 * half and both together).
 */
export function fuseRankings(rankings: Ranking[]): Hit[] {
  const fused = new Map<string, Hit>()
  for (const { hits, weight, worthless } of rankings) {
    const first = hits[0]?.score ?? 0
    for (const { document_id, ordinal, score } of hits) {
      const share = first > worthless ? (score - worthless) / (first - worthless) : 1
      const key = `${document_id} ${ordinal}`
      const known = fused.get(key) ?? { document_id, ordinal, score: 0 }
      fused.set(key, { ...known, score: known.score + weight * share })
    }
  }
  return [...fused.values()].sort(byScore)
}

/** Ties are broken the same way every time. */
export const byScore = (a: Hit, b: Hit) =>
  b.score - a.score || (a.document_id < b.document_id ? -1 : a.document_id > b.document_id ? 1 : a.ordinal - b.ordinal)
