/**
 * Shares of a whole. Rounded, they add up to 100: each is rounded down, and those that lost most get the points that are missing.
 */
export function percentagesOf(counts: number[]): string[] {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return counts.map(() => '0%')
  const exact = counts.map((count) => (100 * count) / total)
  const whole = exact.map(Math.floor)
  const missing = 100 - whole.reduce((sum, each) => sum + each, 0)
  const byLoss = exact.map((share, i) => ({ i, loss: share - Math.floor(share) })).sort((a, b) => b.loss - a.loss)
  for (const { i } of byLoss.slice(0, missing)) whole[i] = (whole[i] ?? 0) + 1
  return exact.map((share, i) => percentText(share, whole[i] ?? 0))
}

/** A single share. */
export function percentOf(count: number, of: number): string {
  if (of === 0) return '–'
  const share = (100 * count) / of
  return percentText(share, Math.round(share))
}

/** Neither "0%" of something nor "100%" of less than all. */
function percentText(share: number, rounded: number): string {
  if (share > 0 && share < 1) return '< 1%'
  if (share > 99 && share < 100) return '> 99%'
  return `${rounded}%`
}
