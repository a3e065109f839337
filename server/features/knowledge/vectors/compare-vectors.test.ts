import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepBest } from './best-chunks.ts'
import { createPasses } from './compare-vectors.ts'
import { pageBytes } from './dot-products.ts'
import { quantize } from './quantize.ts'
import { createVectorMemory, paddedBytes, type VectorBlock } from './vector-memory.ts'

const dimensions = 96
const size = paddedBytes(dimensions)
const random = () => quantize(Float32Array.from({ length: dimensions }, () => Math.random() * 2 - 1))
type Vector = ReturnType<typeof random>

/** Chunks of one to three children, over several blocks. */
const children = Array.from({ length: 3000 }, (_, chunk) => Array.from({ length: 1 + (chunk % 3) }, random))

function setUp() {
  const memory = createVectorMemory(20 * pageBytes)
  const blocks: VectorBlock[] = []
  for (const [chunk, vectors] of children.entries())
    for (const vector of vectors) {
      const last = blocks.at(-1)
      if (last && memory.append(last, size, vector, chunk)) continue
      const block = memory.take(size) as VectorBlock
      blocks.push(block)
      memory.append(block, size, vector, chunk)
    }
  assert.ok(blocks.length > 3)
  const passes = createPasses(memory, size, () => blocks)
  return async (query: Vector, signal?: AbortSignal) => {
    const found = keepBest<{ chunk: number; score: number }>(5)
    const offer = (chunk: number, score: number) => found.offer({ chunk, score })
    const isComplete = await passes.compare({ query, signal, threshold: found.threshold, offer })
    return { isComplete, chunks: found.sorted().map(({ chunk }) => chunk) }
  }
}

function nearest(query: Vector): number[] {
  const score = ({ scale, bytes }: Vector) =>
    bytes.reduce((sum, byte, i) => sum + byte * (query.bytes[i] as number), 0) * query.scale * Math.fround(scale)
  const scores = children.map((vectors) => Math.max(...vectors.map(score)))
  return [...scores.keys()].sort((a, b) => (scores[b] as number) - (scores[a] as number)).slice(0, 5)
}

test('many comparisons at once each find what they find alone', async () => {
  const compare = setUp()
  const queries = Array.from({ length: 40 }, random)
  const together = await Promise.all(queries.map((query) => compare(query)))
  for (const [i, query] of queries.entries())
    assert.deepEqual(together[i], { isComplete: true, chunks: nearest(query) }, `query ${i}`)
})

test('a comparison whose time is up ends, and those beside it go on', async () => {
  const compare = setUp()
  const [late, ...others] = Array.from({ length: 6 }, random) as [Vector, ...Vector[]]
  const time = new AbortController()
  // The first pass has begun, so that both wait for the next one.
  const first = compare(others[0] as Vector)
  const waiting = [compare(late, time.signal), ...others.map((query) => compare(query))]
  time.abort()
  const [ended, ...went] = await Promise.all(waiting)
  assert.deepEqual(ended, { isComplete: false, chunks: [] })
  assert.deepEqual(
    went,
    others.map((query) => ({ isComplete: true, chunks: nearest(query) })),
  )
  assert.deepEqual(await first, went[0])
})
