import type { VectorHit } from './contract.ts'

/** Keeps the best of many: a heap whose root is the worst that is kept. */
interface Best {
  /** Candidates that do not score more than this need not be offered. */
  threshold(): number
  offer(hit: VectorHit): void
  /** Best first. */
  sorted(): VectorHit[]
}

export function keepBest(limit: number): Best {
  const kept: VectorHit[] = []
  const scoreAt = (i: number) => kept[i]?.score ?? Number.POSITIVE_INFINITY
  const swap = (i: number, j: number) => {
    ;[kept[i], kept[j]] = [kept[j] as VectorHit, kept[i] as VectorHit]
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
