import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { createOutboundHttp } from '../../../platform/outbound-fetch.ts'
import { createLocalEmbedder } from '../../../providers/embeddings/local.ts'
import { createHostedEmbedder } from '../../../providers/embeddings/openai-compatible.ts'
import { startTestApp } from '../../../testing/app.ts'
import { addDocument } from '../../../testing/documents.ts'
import { createScriptedEmbedder } from '../../../testing/embedders.ts'
import { startEmbeddingServer } from '../../../testing/embedding-server.ts'
import { until } from '../../../testing/process.ts'
import { createEmbedders } from '../embedders.ts'
import { measureScale } from '../measure-scale.ts'
import { createExactIndex } from '../vectors/exact-index.ts'
import { retrievePassages } from './retrieve-passages.ts'

/** A model whose cosines are all between 0.7 and 1, as those of E5 are: the built-in one with a large common component. */
const common = 0.7
const local = createLocalEmbedder()
const crowded = async (texts: string[]) =>
  (await local.embed(texts)).map((vector) => [
    ...vector.map((component) => component * Math.sqrt(1 - common)),
    Math.sqrt(common),
  ])

const server = await startEmbeddingServer(crowded)
const http = createOutboundHttp({ allow: ['127.0.0.1'] })
const model = { model: 'crowded', dimensions: 385, baseUrl: server.baseUrl }
const settings = {
  EMBEDDINGS_BASE_URL: model.baseUrl,
  EMBEDDINGS_MODEL: model.model,
  EMBEDDINGS_DIMENSIONS: model.dimensions,
}
const app = await startTestApp({ settings })
const org = await app.organization({ mode: 'live' })
const embedders = createEmbedders({ local, hosted: createHostedEmbedder({ http, ...model }) })
after(async () => {
  await embedders.close()
  await http.close()
})
const { embedding_model: used } = await addDocument(
  org.call,
  'Breakfast is served until eleven. Dogs are welcome in the garden but not in the breakfast room.',
  'house.txt',
)

test('the built-in model measures like it was tuned, and any other by its own noise', async () => {
  const measured = await measureScale(local)
  assert.ok(measured && local.scale)
  for (const [name, value] of Object.entries(local.scale))
    assert.ok(Math.abs(measured[name as keyof typeof measured] - value) < 0.03, `${name} ${JSON.stringify(measured)}`)
  const other = await embedders.scaleOf(embedders.current(true, org.id), org.id)
  assert.ok(other)
  for (const [name, value] of Object.entries(measured))
    assert.ok(Math.abs(other[name as keyof typeof other] - (common + (1 - common) * value)) < 0.001, name)
  assert.equal(await measureScale(createScriptedEmbedder()), undefined, 'vectors without a meaning')
})

test('a question far from every document gets no passages and a score near zero with any model', async () => {
  assert.equal(used, 'crowded')
  const search = async (query: string) =>
    (await org.call('POST', 'knowledge-base/search', { query })).body.results[0].score as number
  // The first question does not wait until the scale is measured.
  await until(async () => (await search('lol')) < 0.05)
  assert.ok((await search('May my puppy eat with us in the morning?')) > 0.2)
  assert.ok((await search('lol')) < 0.05)
  const deps = {
    database: app.database,
    embedders,
    vectorIndex: createExactIndex({ maxBytes: 1 << 20 }),
    log: pino({ level: 'silent' }),
    keywordWeight: 0.45,
  }
  const scope = { organizationId: org.id, livemode: true }
  const found = async (question: string) =>
    (await retrievePassages(deps, scope, [question], { timeoutMs: 60_000 })).sources.length
  assert.equal(await found('May my puppy eat with us in the morning?'), 1)
  assert.equal(await found('lol'), 0)
  assert.equal(await found('Quantum chromodynamics'), 0)
})
