/** A small seeded generator: the same practice on every machine. */
export function dice(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  return {
    chance: (share: number) => next() < share,
    between: (low: number, high: number) => low + Math.floor(next() * (high - low + 1)),
    pick: <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T,
  }
}

export type Dice = ReturnType<typeof dice>
