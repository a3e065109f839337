interface Percentiles {
  median: number | null
  p90: number | null
}

/**
 * Interpolated between the two nearest values, as `percentile_cont` of PostgreSQL does, and rounded. Moves the values
 * around, which is faster than sorting them.
 */
export function percentilesOf(values: Float64Array): Percentiles {
  if (values.length === 0) return { median: null, p90: null }
  const median = percentile(values, 0.5, 0)
  // What lies before the median is smaller.
  return { median, p90: percentile(values, 0.9, Math.floor((values.length - 1) / 2)) }
}

/** `from`: the values before this place are the smallest ones already. */
function percentile(values: Float64Array, share: number, from: number): number {
  const place = share * (values.length - 1)
  const below = Math.floor(place)
  const low = smallest(values, below, from)
  if (place === below) return roundHalfEven(low)
  // What lies behind the place is not smaller.
  let high = Infinity
  for (let i = below + 1; i < values.length; i++) high = Math.min(high, values[i] as number)
  return roundHalfEven(low + (place - below) * (high - low))
}

/** As PostgreSQL rounds double precision numbers. */
function roundHalfEven(value: number): number {
  const floor = Math.floor(value)
  if (value - floor !== 0.5) return Math.round(value)
  return floor % 2 === 0 ? floor : floor + 1
}

/** The value at this place of the sorted values (Hoare's quickselect); smaller ones end up before it. */
function smallest(values: Float64Array, place: number, from: number): number {
  let [low, high] = [from, values.length - 1]
  while (low < high) {
    const pivot = values[(low + high) >> 1] as number
    let [i, j] = [low, high]
    while (i <= j) {
      while ((values[i] as number) < pivot) i++
      while ((values[j] as number) > pivot) j--
      if (i > j) break
      const moved = values[i] as number
      values[i++] = values[j] as number
      values[j--] = moved
    }
    if (place <= j) high = j
    else if (place >= i) low = i
    else break
  }
  return values[place] as number
}
