import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDotProducts, pageBytes } from './dot-products.ts'
import { packVectors, quantize, unpackVectors } from './quantize.ts'
import { createVectorMemory, paddedBytes } from './vector-memory.ts'

const random = (length: number) => Float32Array.from({ length }, () => Math.random() * 2 - 1)
const product = (a: Int8Array, b: Int8Array) => a.reduce((sum, byte, i) => sum + byte * (b[i] as number), 0)

test('byte products equal plain arithmetic, also at the extremes', () => {
  const { memory, run } = createDotProducts(2 * pageBytes)
  const extremes = [127, -127, 0, 1, -1]
  const any = () => extremes[Math.floor(Math.random() * extremes.length)] as number
  for (const [length, count] of [
    [32, 20],
    [96, 18],
    [384, 21],
  ] as const) {
    const query = new Int16Array(memory.buffer, 0, length).fill(127)
    const vectors = new Int8Array(memory.buffer, 2 * length, length * count).map((_, i) => (i < length ? 127 : any()))
    new Int8Array(memory.buffer).set(vectors, 2 * length)
    // The count is rounded up, so that products are written behind the last vector of that many.
    const out = length * (count + 5)
    run(0, 2 * length, count, length, out)
    const expected = Array.from({ length: count }, (_, i) =>
      product(Int8Array.from(query), vectors.slice(length * i, length * (i + 1))),
    )
    assert.deepEqual([...new Int32Array(memory.buffer, out, count)], expected)
    assert.equal(expected[0], 127 * 127 * length)
  }
  run(0, 64, 0, 32, 128)
})

test('a vector survives the conversion to bytes and back', () => {
  const vectors = [random(384), random(384).map((x) => x / 1000), new Float32Array(384)]
  const unpacked = [...unpackVectors(packVectors(vectors), 384)].map(({ scale, bytes }) =>
    Float32Array.from(bytes, (byte) => byte * scale),
  )
  assert.equal(unpacked.length, 3)
  for (const [i, vector] of vectors.entries()) {
    const largest = Math.max(...vector.map(Math.abs))
    for (const [j, component] of vector.entries())
      assert.ok(Math.abs(component - (unpacked[i]?.[j] as number)) <= largest / 253, `${i} ${j}`)
  }
})

test('vector memory never exceeds its limit, and released memory is reused', () => {
  const memory = createVectorMemory(4 * pageBytes)
  const size = paddedBytes(100)
  assert.equal(size, 128)
  const blocks = Array.from({ length: 3 }, () => memory.take(size))
  assert.ok(blocks.every((block) => block !== undefined))
  assert.equal(memory.take(size), undefined)
  const first = blocks[0] as NonNullable<(typeof blocks)[0]>
  const old = quantize(new Float32Array(128).fill(1))
  while (memory.append(first, size, old, 7)) {}
  assert.equal(first.count, Math.floor(pageBytes / size))
  memory.giveBack([first])
  const again = memory.take(size) as NonNullable<(typeof blocks)[0]>
  // Nothing of the previous owner remains: neither its vectors nor the tail of a longer one.
  const vector = quantize(random(100))
  memory.append(again, size, vector, 3)
  const queries = Array.from({ length: memory.queriesAtOnce(size) }, () => quantize(random(100)).bytes)
  memory.load(queries, size)
  for (const [i, query] of queries.entries())
    assert.equal(memory.compare(again, size, i)[0], product(query, vector.bytes))
  assert.equal(again.chunks[0], 3)
})

test('vectors too long for a page are refused', () => {
  assert.throws(() => createVectorMemory(1).take(paddedBytes(40_000)), /too long/)
})
