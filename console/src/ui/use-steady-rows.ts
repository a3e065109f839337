import { useState } from 'react'

interface Steady<T> {
  of: string
  known: T[]
  /** The newest row at the time of opening. Newer rows are held back. */
  newest: string | undefined
}

/**
 * Keeps the first page of a newest-first list in place while records are added: visible rows are updated, newer ones
 * are only counted. IDs increase with time.
 */
export function useSteadyRows<T extends { id: string }>(
  { fresh, isPlaceholder }: { fresh: T[] | undefined; isPlaceholder: boolean },
  of: string,
) {
  const [steady, setSteady] = useState<Steady<T>>()
  const start = (rows: T[]) => setSteady({ of, known: rows, newest: rows[0]?.id })
  if (!fresh || isPlaceholder) return { rows: fresh, newer: 0, showNewer: () => {} }
  if (steady?.of !== of || steady.newest === undefined || steady.known.length === 0) {
    if (steady?.of !== of || fresh.length > 0) start(fresh)
    return { rows: fresh, newer: 0, showNewer: () => {} }
  }
  const { newest } = steady
  const newer = fresh.filter(({ id }) => id > newest)
  const present = new Map(fresh.map((row) => [row.id, row]))
  const oldest = fresh.at(-1)?.id ?? ''
  // Rows that newer ones pushed off the page are kept; rows missing within the page were deleted.
  const kept = steady.known.flatMap((row) => present.get(row.id) ?? (row.id < oldest && newer.length > 0 ? row : []))
  const shown = new Set(kept.map(({ id }) => id))
  const rows = [...kept, ...fresh.filter(({ id }) => id <= newest && !shown.has(id))]
  return { rows, newer: newer.length, showNewer: () => start(fresh) }
}
