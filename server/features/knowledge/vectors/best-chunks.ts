/** Keeps the best of many: a heap whose root is the worst that is kept. */
export interface Best<T> {
  /** Candidates that do not score more than this need not be offered. */
  threshold(): number
  offer(hit: T): void
  /** Best first. */
  sorted(): T[]
}

export function keepBest<T extends { score: number }>(limit: number): Best<T> {
  const kept: T[] = []
  const scoreAt = (i: number) => kept[i]?.score ?? Number.POSITIVE_INFINITY
  const swap = (i: number, j: number) => {
    ;[kept[i], kept[j]] = [kept[j] as T, kept[i] as T]
  }
  const rise = (start: number) => {
    for (let i = start, parent = (i - 1) >> 1; i > 0 && scoreAt(i) < scoreAt(parent); parent = (i - 1) >> 1) {
      swap(i, parent)
      i = parent
    }
  }
  const sink = () => {
    for (let i = 0; ; ) {
      const child = scoreAt(2 * i + 1) <= scoreAt(2 * i + 2) ? 2 * i + 1 : 2 * i + 2
      if (scoreAt(child) >= scoreAt(i)) return
      swap(i, child)
      i = child
    }
  }
  const threshold = () => (kept.length < limit ? Number.NEGATIVE_INFINITY : scoreAt(0))
  return {
    threshold,
    offer(hit) {
      if (kept.length < limit) {
        kept.push(hit)
        rise(kept.length - 1)
      } else if (hit.score > threshold()) {
        kept[0] = hit
        sink()
      }
    },
    sorted: () => kept.toSorted((a, b) => b.score - a.score),
  }
}
