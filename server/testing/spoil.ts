import { createRandom } from './seeded-numbers.ts'

export interface HostileFile {
  name: string
  type: 'pdf' | 'docx' | 'txt'
  bytes: Buffer
  /** How it must be refused; without it, it may also be read. */
  refused?: string[]
  /** Built to exhaust time or memory. */
  greedy?: boolean
}

export const randomBytes = (seed: number, length: number): Buffer => {
  const random = createRandom(seed)
  return Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)))
}

/** Replaces some bytes at random positions. */
export function spoil(bytes: Buffer, seed: number, count: number): Buffer {
  const random = createRandom(seed)
  const spoilt = Buffer.from(bytes)
  for (let i = 0; i < count; i++) spoilt[Math.floor(random() * spoilt.length)] = Math.floor(random() * 256)
  return spoilt
}

export const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))
export const cutAt = (bytes: Buffer, share: number): Buffer =>
  bytes.subarray(0, Math.max(1, Math.floor(bytes.length * share)))

export const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')
export const ole = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2000)])
export const sentence = 'The quick brown fox jumps over the lazy dog and pays for its lunch on time. '
