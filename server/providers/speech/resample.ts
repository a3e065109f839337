/** Changes the sample rate of a stream: samples in, as many as are ready out; `flush` returns the rest. */
interface Resampler {
  push(samples: Int16Array): Int16Array<ArrayBuffer>
  flush(): Int16Array<ArrayBuffer>
}

/**
 * Half the filter's length in samples of the lower rate: enough for speech, and under a millisecond of CPU per second
 * of audio.
 */
const reach = 12

export function createResampler(from: number, to: number): Resampler {
  if (from === to) return { push: (samples) => samples.slice(), flush: () => new Int16Array(0) }
  const divisor = greatestCommonDivisor(from, to)
  const up = to / divisor
  const down = from / divisor
  const half = Math.ceil((reach * Math.max(up, down)) / up)
  const phases = Array.from({ length: up }, (_, phase) => taps(phase / up, half, Math.min(1, up / down)))
  const length = 2 * half
  let held = new Int16Array(half)
  /** Position of the next output, in input samples times `up`, counted from the first held sample. */
  let position = half * up

  function push(samples: Int16Array): Int16Array<ArrayBuffer> {
    const input = new Int16Array(held.length + samples.length)
    input.set(held)
    input.set(samples, held.length)
    const ready = Math.max(0, Math.ceil(((input.length - half) * up - position) / down))
    const output = new Int16Array(ready)
    for (let i = 0; i < ready; i++, position += down) {
      const phase = position % up
      const first = (position - phase) / up - half + 1
      const filter = phases[phase] as Float64Array
      let sum = 0
      for (let k = 0; k < length; k++) sum += (filter[k] as number) * (input[first + k] as number)
      output[i] = sum > 32767 ? 32767 : sum < -32768 ? -32768 : Math.round(sum)
    }
    const keepFrom = Math.max(0, Math.floor(position / up) - half)
    held = input.slice(keepFrom)
    position -= keepFrom * up
    return output
  }
  return { push, flush: () => push(new Int16Array(half)) }
}

export function resample(samples: Int16Array, from: number, to: number): Int16Array<ArrayBuffer> {
  const resampler = createResampler(from, to)
  const [head, tail] = [resampler.push(samples), resampler.flush()]
  const whole = new Int16Array(head.length + tail.length)
  whole.set(head)
  whole.set(tail, head.length)
  return whole
}

/** A windowed sinc for the samples around a point that is `fraction` past the middle one. */
function taps(fraction: number, half: number, cutoff: number): Float64Array {
  const weights = Float64Array.from({ length: 2 * half }, (_, k) => {
    const distance = k - half + 1 - fraction
    const x = Math.PI * distance * cutoff
    const window = 0.5 + 0.5 * Math.cos((Math.PI * distance) / half)
    return Math.abs(distance) >= half ? 0 : (x === 0 ? 1 : Math.sin(x) / x) * window
  })
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return weights.map((weight) => weight / sum)
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}
