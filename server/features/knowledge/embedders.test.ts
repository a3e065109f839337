import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import type { TenantSql } from '../../platform/database.ts'
import { type Embedder, EmbeddingError } from '../../providers/embeddings/contract.ts'
import { createEmbedders } from './embedders.ts'
import { rankByVector } from './retrieval/rank-by-vector.ts'

/** Questions and their answers have the same vector, so that there is a scale. */
const vectorsOf = (texts: string[]) =>
  texts.map((_, i) => Float32Array.from({ length: 8 }, (_, at) => Number(at === i)))

/** A model without a scale of its own; `before` runs before each batch, with the organization that pays. */
function createModel(before: (organizationId: string, texts: string[]) => Promise<void>) {
  const asked: string[] = []
  const withKeyOf = (organizationId: string): Embedder => ({
    model: 'hosted',
    dimensions: 8,
    async embed(texts) {
      asked.push(organizationId)
      await before(organizationId, texts)
      return vectorsOf(texts)
    },
    forOrganization: withKeyOf,
    async close() {},
  })
  const hosted = withKeyOf('operator')
  const embedders = createEmbedders({ local: hosted, hosted })
  const scaleFor = (id: string) => embedders.scaleOf(embedders.current(true, id), id)
  return { asked, embedders, scaleFor }
}

test('the scale is measured once, and one organization with an invalid key does not keep others from it', async () => {
  const { asked, scaleFor } = createModel(async (organizationId) => {
    if (organizationId === 'bad') throw new EmbeddingError('fail', 'The embedding server refused the API key.')
  })
  assert.equal(await scaleFor('bad'), undefined)
  const scales = await Promise.all([scaleFor('bad'), scaleFor('good'), scaleFor('good')])
  assert.deepEqual([scales[0], scales[1]?.answer, scales[2]?.answer], [undefined, 1, 1])
  assert.equal((await scaleFor('bad'))?.answer, 1)
  assert.deepEqual(asked, ['bad', 'bad', 'good', 'good'])
})

test('a measurement that failed for any reason is repeated after a minute', async (t) => {
  t.after(() => mock.timers.reset())
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
  let isDown = true
  const { asked, scaleFor } = createModel(async () => {
    if (isDown) throw new Error('The database is not available')
  })
  assert.equal(await scaleFor('a'), undefined)
  isDown = false
  mock.timers.tick(59_000)
  assert.equal(await scaleFor('a'), undefined)
  assert.equal(asked.length, 2)
  mock.timers.tick(1_000)
  assert.equal((await scaleFor('a'))?.answer, 1)
})

test('a model without a scale is measured once', async () => {
  const { asked, embedders } = createModel(async () => {})
  const flat: Embedder = {
    ...embedders.current(true, 'a'),
    async embed(texts) {
      asked.push('flat')
      return texts.map(() => Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0))
    },
  }
  assert.equal(await embedders.scaleOf(flat, 'a'), undefined)
  assert.equal(await embedders.scaleOf(flat, 'b'), undefined)
  assert.deepEqual(asked, ['flat', 'flat'])
})

test('a question does not wait for a slow measurement, and later ones have its scale', async () => {
  const { promise: measured, resolve } = Promise.withResolvers<void>()
  const { embedders, scaleFor } = createModel((_, texts) => (texts.length > 1 ? measured : Promise.resolve()))
  const sql = { scope: { organizationId: 'a', livemode: true } } as TenantSql
  const vectorIndex = { search: async () => ({ hits: [], partial: false }) } as unknown as Parameters<
    typeof rankByVector
  >[1]['vectorIndex']
  const search = {
    query: 'Open?',
    documentIds: undefined,
    limit: 1,
    signal: undefined,
    knowledge: { models: ['hosted'], version: 1 } as unknown as Parameters<typeof rankByVector>[2]['knowledge'],
  }
  const rank = () => rankByVector(sql, { embedders, vectorIndex }, search)
  assert.equal((await rank())[0]?.scale, undefined)
  resolve()
  await scaleFor('a')
  assert.equal((await rank())[0]?.scale?.answer, 1)
})
