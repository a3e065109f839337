import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createOutboundHttp } from '../../platform/outbound-fetch.ts'
import { reset, startGraphPlatform } from '../../testing/graph-platform.ts'
import { ChatError } from './contract.ts'
import { createGraphApi } from './graph-api.ts'

const platform = await startGraphPlatform()
const http = createOutboundHttp()
after(http.close)
const api = createGraphApi({ baseUrl: platform.url, version: 'v25.0', http })
const ids = { phoneNumberId: '6', businessAccountId: '7', accessToken: 'EAAG-secret-token' }
const picture = Buffer.from('0123456789')
const sample = {
  fileName: 'spring.png',
  mimeType: 'image/png',
  size: picture.length,
  open: async (offset: number) =>
    (async function* () {
      yield picture.subarray(offset)
    })(),
}
const session = { json: { id: 'upload:MTphdA==?sig=ARZq' } }
const handle = { json: { h: '4::aW1hZ2U' } }
const steps = () => platform.asked.map(({ method, path }) => `${method} ${path}`)

test('a sample is uploaded to the app of the channel and becomes a handle', async () => {
  platform.answers(session, handle)
  assert.deepEqual(await api.connect({ ...ids, appId: '99' }).uploadSample(sample), { handle: '4::aW1hZ2U' })
  assert.deepEqual(steps(), ['POST /v25.0/99/uploads', 'POST /v25.0/upload:MTphdA=='])
  const [begun, sent] = platform.asked
  assert.deepEqual(begun?.query, { file_name: 'spring.png', file_length: '10', file_type: 'image/png' })
  assert.deepEqual(sent?.query, { sig: 'ARZq' })
  assert.equal(sent?.headers.authorization, 'OAuth EAAG-secret-token')
  assert.equal(sent?.headers.file_offset, '0')
  assert.deepEqual(sent?.body, picture)
})

test('the app is read from the token if the channel does not name it', async () => {
  platform.answers({ json: { id: '77' } }, session, handle)
  await api.connect(ids).uploadSample(sample)
  assert.deepEqual(steps().slice(0, 2), ['GET /v25.0/app', 'POST /v25.0/77/uploads'])

  const refusal = { status: 400, json: { error: { code: 100, message: '(#100) No' } } }
  platform.answers(refusal, { json: { data: { app_id: '78' } } }, session, handle)
  await api.connect(ids).uploadSample(sample)
  assert.deepEqual(steps().slice(1, 3), ['GET /v25.0/debug_token', 'POST /v25.0/78/uploads'])
  assert.equal(platform.asked[1]?.query.input_token, ids.accessToken)

  const forbidden = { status: 403, json: { error: { code: 200, message: '(#200) Permissions error' } } }
  platform.answers(forbidden, { json: { data: { app_id: '79' } } }, session, handle)
  await api.connect(ids).uploadSample(sample)
  assert.equal(steps()[2], 'POST /v25.0/79/uploads')

  for (const answer of [refusal, forbidden]) {
    platform.answers(answer)
    await assert.rejects(api.connect(ids).uploadSample(sample), (error: ChatError) => error.code === 'no_app')
  }
})

test('an upload that breaks off is resumed where the platform stopped', async () => {
  platform.answers(session, reset, { json: { id: 'upload:MTphdA==', file_offset: 4 } }, handle)
  await api.connect({ ...ids, appId: '99' }).uploadSample(sample)
  assert.deepEqual(steps().slice(2), ['GET /v25.0/upload:MTphdA==', 'POST /v25.0/upload:MTphdA=='])
  assert.equal(platform.asked[3]?.headers.file_offset, '4')
  assert.equal(platform.asked[3]?.body.toString(), '456789')
})

test('an upload that the platform refuses is not repeated, and its error is readable', async () => {
  platform.answers(session, { status: 400, json: { error: { code: 100, message: '(#100) The file is no picture' } } })
  const failing = api.connect({ ...ids, appId: '99' }).uploadSample(sample)
  await assert.rejects(failing, (error: ChatError) => error instanceof ChatError && /no picture/.test(error.message))
  assert.equal(platform.asked.length, 2)
  platform.answers({ json: {} })
  await assert.rejects(api.connect({ ...ids, appId: '99' }).uploadSample(sample), /upload without a session/)
})
