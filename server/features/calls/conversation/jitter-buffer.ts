/** Smooths bursts of incoming frames: one frame out per tick. Drops the oldest frame when the buffer is full. */
interface JitterBuffer {
  push(frame: Uint8Array): void
  /** Undefined if no frame has arrived. */
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
