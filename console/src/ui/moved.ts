/** The items with one of them moved up (-1) or down (1). */
export function moved<Item>(items: Item[], index: number, by: -1 | 1): Item[] {
  const next = [...items]
  next.splice(index + by, 0, ...next.splice(index, 1))
  return next
}
