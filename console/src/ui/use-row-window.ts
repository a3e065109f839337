import { type FocusEvent, type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Rows within this distance of the viewport are mounted. */
const marginPx = 800
/** The window moves by this many rows, so that few scroll events render. */
const stepRows = 10

interface Options {
  /** The element that scrolls. */
  box: RefObject<HTMLElement | null>
  ids: readonly string[]
  /** The height of a row that was never mounted. */
  typicalPx: number
  /** A row that is mounted wherever it is. */
  keptId: string | undefined
}

interface MountedRow {
  index: number
  /** The height of the rows above that are not mounted: the row's margin. */
  gapPx: number
}

/**
 * Mounts the rows of a long list that are near the viewport, in the normal flow; margins take the space of the others.
 * The row in focus stays mounted with its neighbours, so that it keeps the focus and the Tab key continues from there.
 * If it leaves the list, the row that takes its place gets the focus. Children of the list carry `data-row`, their id.
 */
export function useRowWindow({ box, ids, typicalPx, keptId }: Options) {
  const list = useRef<HTMLUListElement>(null)
  const [heights] = useState(() => new Map<string, number>())
  const [range, setRange] = useState({ from: 0, to: 3 * stepRows })
  const [focus, setFocus] = useState<{ id: string; at: number }>()

  const look = useCallback(() => {
    if (!box.current || !list.current) return
    // Rows are measured before they can be unmounted.
    for (const row of list.current.children)
      heights.set((row as HTMLElement).dataset.row as string, row.getBoundingClientRect().height)
    const top = box.current.getBoundingClientRect().top - list.current.getBoundingClientRect().top
    const next = rowsWithin(ids, (id) => heights.get(id) ?? typicalPx, {
      top: top - marginPx,
      bottom: top + box.current.clientHeight + marginPx,
    })
    setRange((current) => (current.from === next.from && current.to === next.to ? current : next))
  }, [box, ids, heights, typicalPx])

  // Before paint: other rows may be near the viewport now.
  useLayoutEffect(look, [look])
  useEffect(() => {
    const element = box.current as HTMLElement
    const sizes = new ResizeObserver(look)
    sizes.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [box, look])

  const focusedAt = focus ? ids.indexOf(focus.id) : -1
  if (focus && focusedAt >= 0 && focusedAt !== focus.at) setFocus({ ...focus, at: focusedAt })
  const isFocusGone = focus !== undefined && focusedAt < 0
  useLayoutEffect(() => {
    if (!isFocusGone) return
    const next = ids[Math.min(focus.at, ids.length - 1)]
    setFocus(undefined)
    // Unless the member went on to something else.
    if (next && document.activeElement === document.body)
      list.current?.querySelector<HTMLElement>(`[data-row="${next}"] a`)?.focus()
  }, [isFocusGone, focus, ids])

  const kept = [keptId ? ids.indexOf(keptId) : -1]
  if (focus) for (const step of [-1, 0, 1]) kept.push(Math.min(focus.at, ids.length - 1) + step)
  const { rows, afterPx } = mountedRows(ids, (id) => heights.get(id) ?? typicalPx, range, kept)
  return {
    list,
    rows,
    /** The height of the rows below that are not mounted. */
    afterPx,
    handlers: {
      onFocus({ target }: FocusEvent) {
        const id = target.closest<HTMLElement>('[data-row]')?.dataset.row
        if (id) setFocus({ id, at: ids.indexOf(id) })
      },
      // A window that loses the focus keeps its active element.
      onBlur({ target }: FocusEvent) {
        if (document.activeElement !== target) setFocus(undefined)
      },
    },
  }
}

type HeightOf = (id: string) => number

function rowsWithin(ids: readonly string[], heightOf: HeightOf, { top, bottom }: { top: number; bottom: number }) {
  let [y, from, to] = [0, 0, 0]
  for (const [i, id] of ids.entries()) {
    if (y < bottom) to = i + 1
    y += heightOf(id)
    if (y <= top) from = i + 1
  }
  return { from: Math.floor(from / stepRows) * stepRows, to: Math.ceil(to / stepRows) * stepRows }
}

function mountedRows(
  ids: readonly string[],
  heightOf: HeightOf,
  { from, to }: { from: number; to: number },
  kept: number[],
): { rows: MountedRow[]; afterPx: number } {
  const rows: MountedRow[] = []
  let gapPx = 0
  for (const [index, id] of ids.entries()) {
    if ((index >= from && index < to) || kept.includes(index)) {
      rows.push({ index, gapPx })
      gapPx = 0
    } else gapPx += heightOf(id)
  }
  return { rows, afterPx: gapPx }
}
