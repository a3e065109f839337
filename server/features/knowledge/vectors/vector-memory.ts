import { atOnce, createDotProducts, pageBytes, step } from './dot-products.ts'
import type { Quantized } from './quantize.ts'

/** The vectors that fit into a page of the memory, and the chunk of each. */
export interface VectorBlock {
  address: number
  count: number
  scales: Float32Array
  /** Numbers that the owner of the block assigns to its chunks. */
  chunks: Int32Array
}

/** Memory for vectors, allocated and freed in blocks; it grows to its limit and no further. */
export interface VectorMemory {
  /** Undefined when all memory is in use. */
  take(bytesPerVector: number): VectorBlock | undefined
  giveBack(blocks: VectorBlock[]): void
  /** False when the block is full. */
  append(block: VectorBlock, bytesPerVector: number, vector: Quantized, chunk: number): boolean
  /** How many queries can be loaded at once. */
  queriesAtOnce(bytesPerVector: number): number
  /** What the next blocks are compared with. Another pass may load its own queries whenever this one yields. */
  load(queries: Int8Array[], bytesPerVector: number): void
  /** The products of a loaded query with the vectors of the block, in their order; overwritten by the next call. */
  compare(block: VectorBlock, bytesPerVector: number, query: number): Int32Array
}

/** The bytes after a shorter vector are zero. */
export const paddedBytes = (dimensions: number): number => Math.ceil(dimensions / step) * step

/** The first page holds the queries, two bytes for each number, and the results. */
const resultsAddress = pageBytes / 2
const maxBytesPerVector = pageBytes / 4
const maxResults = (pageBytes - resultsAddress) / 4

export function createVectorMemory(maxBytes: number): VectorMemory {
  const pages = Math.max(2, Math.floor(maxBytes / pageBytes))
  const { memory, run } = createDotProducts(pages * pageBytes)
  const free: number[] = []
  let used = 1
  let results = new Int32Array(memory.buffer, resultsAddress, maxResults)

  const takePage = (): number | undefined => {
    const page = free.pop()
    if (page !== undefined) return page
    if (used === pages) return undefined
    memory.grow(1)
    return used++ * pageBytes
  }

  return {
    take(bytesPerVector) {
      if (bytesPerVector > maxBytesPerVector) throw new Error(`vectors of ${bytesPerVector} bytes are too long`)
      const address = takePage()
      if (address === undefined) return undefined
      const capacity = Math.floor(pageBytes / bytesPerVector / atOnce) * atOnce
      return { address, count: 0, scales: new Float32Array(capacity), chunks: new Int32Array(capacity) }
    },
    giveBack(blocks) {
      for (const { address } of blocks) free.push(address)
    },
    append(block, bytesPerVector, { scale, bytes }, chunk) {
      if (block.count === block.scales.length) return false
      const place = new Int8Array(memory.buffer, block.address + block.count * bytesPerVector, bytesPerVector)
      place.set(bytes)
      place.fill(0, bytes.length)
      block.scales[block.count] = scale
      block.chunks[block.count] = chunk
      block.count++
      return true
    },
    queriesAtOnce: (bytesPerVector) => Math.floor(resultsAddress / (2 * bytesPerVector)),
    load(queries, bytesPerVector) {
      for (const [i, query] of queries.entries()) {
        const place = new Int16Array(memory.buffer, 2 * bytesPerVector * i, bytesPerVector)
        place.set(query)
        place.fill(0, query.length)
      }
    },
    compare({ address, count }, bytesPerVector, query) {
      // Memory that grew has a new buffer.
      if (results.buffer !== memory.buffer) results = new Int32Array(memory.buffer, resultsAddress, maxResults)
      run(2 * bytesPerVector * query, address, count, bytesPerVector, resultsAddress)
      return results
    },
  }
}
