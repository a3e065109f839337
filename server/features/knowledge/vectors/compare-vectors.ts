import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Quantized } from './quantize.ts'
import type { VectorBlock, VectorMemory } from './vector-memory.ts'

/** How long a pass may block the event loop. */
const turnMs = 5

/** A search that comes during a pass waits for it and for the next one: neither may become long. */
const mostAtOnce = 16

/** What a search compares with all vectors of a copy. */
interface Comparison {
  query: Quantized
  signal: AbortSignal | undefined
  /** Chunks that score no more than this need not be offered. */
  threshold(): number
  offer(chunk: number, score: number): void
}

/** The comparisons with the vectors of one copy. */
export interface Passes {
  /** Resolves to whether it reached the end: when time is up it stops early, at the latest when the next pass begins. */
  compare(comparison: Comparison): Promise<boolean>
}

interface Running extends Comparison {
  last: LastChunk
  ended: PromiseWithResolvers<boolean>
}

/**
 * Reading the vectors from memory takes longer than comparing them, so searches that come during a pass share the next
 * one: each block is read once and compared with all of their queries. `blocks` are those of the copy at that moment.
 */
export function createPasses(memory: VectorMemory, bytesPerVector: number, blocks: () => VectorBlock[]): Passes {
  const atOnce = Math.max(1, Math.min(mostAtOnce, memory.queriesAtOnce(bytesPerVector)))
  let waiting: Running[] = []
  let isRunning = false

  async function runAll(): Promise<void> {
    isRunning = true
    while (waiting.length > 0) {
      const next = waiting.slice(0, atOnce)
      waiting = waiting.slice(atOnce)
      await run(next).catch((error) => {
        for (const { ended } of next) ended.reject(error)
      })
    }
    isRunning = false
  }

  /** Compares block by block and yields in between. */
  async function run(all: Running[]): Promise<void> {
    let running = begin(all)
    let turn = performance.now()
    for (const block of [...blocks()]) {
      for (const [i, each] of running.entries()) offerChunks(block, memory.compare(block, bytesPerVector, i), each)
      if (performance.now() - turn < turnMs) continue
      await nextTurn()
      running = begin(running)
      if (running.length === 0) return
      turn = performance.now()
    }
    for (const { last, threshold, offer, ended } of running) {
      if (last.score > threshold()) offer(last.chunk, last.score)
      ended.resolve(true)
    }
  }

  /** Ends those whose time is up, and loads the queries of the others. */
  function begin(all: Running[]): Running[] {
    const [late, running]: [Running[], Running[]] = [[], []]
    for (const each of all) (each.signal?.aborted ? late : running).push(each)
    for (const { ended } of late) ended.resolve(false)
    memory.load(
      running.map(({ query }) => query.bytes),
      bytesPerVector,
    )
    return running
  }

  return {
    compare(comparison) {
      const last = { chunk: -1, score: Number.NEGATIVE_INFINITY }
      const ended = Promise.withResolvers<boolean>()
      waiting.push({ ...comparison, last, ended })
      if (!isRunning) void runAll()
      return ended.promise
    },
  }
}

/** The chunk whose children were compared last, and the best of them. */
interface LastChunk {
  chunk: number
  score: number
}

/**
 * The children of a chunk follow each other, also across blocks: their best is known when the next chunk begins. Nearly
 * all children score too little to be kept and are skipped first.
 */
function offerChunks(block: VectorBlock, products: Int32Array, running: Running): void {
  const { count, scales, chunks } = block
  const { last, query, offer } = running
  const { scale } = query
  let { chunk, score } = last
  let threshold = running.threshold()
  for (let i = 0; i < count; i++) {
    const next = (products[i] as number) * scale * (scales[i] as number)
    if (next <= threshold) continue
    if (chunks[i] === chunk) {
      if (next > score) score = next
      continue
    }
    if (score > threshold) {
      offer(chunk, score)
      threshold = running.threshold()
    }
    chunk = chunks[i] as number
    score = next
  }
  last.chunk = chunk
  last.score = score
}
