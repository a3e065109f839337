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
  /** The score that is worth nothing, and the one that is worth the whole weight. */
  from: number
  to: number
}

/**
 * Fuses several rankings. Scores of different kinds cannot be added, so each is scaled between two bounds first. The
 * bounds do not depend on the hits where that is possible: the best of many bad hits then stays bad.
 */
export function fuseRankings(rankings: Ranking[]): Hit[] {
  const fused = new Map<string, Hit>()
  for (const { hits, weight, from, to } of rankings)
    for (const { document_id, ordinal, score } of hits) {
      const share = to > from ? Math.min(1, Math.max(0, (score - from) / (to - from))) : 1
      const key = `${document_id} ${ordinal}`
      const known = fused.get(key)
      if (known) known.score += weight * share
      else fused.set(key, { document_id, ordinal, score: weight * share })
    }
  return [...fused.values()].sort(byScore)
}

/** Ties are broken the same way every time. */
export const byScore = (a: Hit, b: Hit) =>
  b.score - a.score || (a.document_id < b.document_id ? -1 : a.document_id > b.document_id ? 1 : a.ordinal - b.ordinal)
