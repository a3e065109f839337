/** Evens out what arrives in bursts: one frame in, one frame out a beat, and the oldest go when there are too many. */
export interface JitterBuffer {
  push(frame: Uint8Array): void
  /** Undefined when nothing came in time. */
  pull(): Uint8Array | undefined
}

export function createJitterBuffer(capacity: number): JitterBuffer {
  const frames: Uint8Array[] = []
  return {
    push(frame) {
      if (frames.length >= capacity) frames.shift()
      frames.push(frame)
    },
    pull: () => frames.shift(),
  }
}
