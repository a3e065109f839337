import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { createOutboundHttp } from '../../platform/outbound-fetch.ts'
import { type Answer, type Asked, startGraphPlatform } from '../../testing/graph-platform.ts'
import { ChatError } from './contract.ts'
import { createGraphApi } from './graph-api.ts'

const platform = await startGraphPlatform()
const stranger = await startGraphPlatform()
const http = createOutboundHttp()
after(http.close)
const credentials = { phoneNumberId: '6', businessAccountId: '7', accessToken: 'EAAG-secret-token' }
const chatAt = (baseUrl: string, more: object = {}) =>
  createGraphApi({ baseUrl, version: 'v19.0', http, mediaTimeLimitMs: 30_000, ...more }).connect(credentials)
const chat = chatAt(platform.url)

const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 13, 10, 255])
async function* inChunks(bytes: Buffer) {
  yield bytes.subarray(0, 3)
  yield bytes.subarray(3)
}

const formOf = ({ headers, body }: Asked) =>
  new Response(new Uint8Array(body), { headers: { 'content-type': String(headers['content-type']) } }).formData()

const only = () => {
  assert.equal(platform.asked.length, 1)
  return platform.asked[0] as Asked
}

test('a file is uploaded as a form, with its length if that is known', async () => {
  for (const size of [picture.length, undefined]) {
    platform.answers({ json: { id: 900800700600500400n.toString() } })
    const media = { bytes: inChunks(picture), mimeType: 'image/png', fileName: 'a "b"\r\nc.png', size }
    assert.deepEqual(await chat.uploadMedia(media), { id: '900800700600500400' })
    const asked = only()
    assert.deepEqual([asked.method, asked.path], ['POST', '/v19.0/6/media'])
    assert.equal(asked.headers.authorization, 'Bearer EAAG-secret-token')
    assert.equal(asked.headers['content-length'], size === undefined ? undefined : String(asked.body.length))
    const form = await formOf(asked)
    assert.equal(form.get('messaging_product'), 'whatsapp')
    assert.equal(form.get('type'), 'image/png')
    const file = form.get('file') as File
    assert.equal(file.type, 'image/png')
    assert.equal(file.name, media.fileName)
    assert.deepEqual(Buffer.from(await file.arrayBuffer()), picture)
  }
})

test('a file that cannot be read fails with its own error', async () => {
  platform.answers({ json: { id: '1' } })
  const bytes = (async function* (): AsyncGenerator<Buffer> {
    yield picture
    throw new RangeError('the disk is broken')
  })()
  const media = { bytes, mimeType: 'image/png', fileName: 'a.png' }
  await assert.rejects(chat.uploadMedia(media), new RangeError('the disk is broken'))
})

const sha256 = createHash('sha256').update(picture).digest()
const link = (path = '/files/1', more: object = {}): Answer => ({
  json: { id: '9', url: `${platform.url}${path}`, mime_type: 'image/png', sha256: sha256.toString('hex'), ...more },
})
const file: Answer = { bytes: picture, headers: { 'content-type': 'image/x-other', 'content-length': '8' } }
const bytesOf = async (bytes: AsyncIterable<Buffer>) => {
  const chunks: Buffer[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks)
}

test('a file is looked up and downloaded with the token', async () => {
  platform.answers(link('/files/1', { file_size: '8' }), file)
  const { bytes, ...facts } = await chat.downloadMedia('900800')
  assert.deepEqual(await bytesOf(bytes), picture)
  assert.deepEqual(facts, { mimeType: 'image/png', size: 8, sha256: sha256.toString('hex') })
  const [lookUp, download] = platform.asked as [Asked, Asked]
  assert.deepEqual([lookUp.path, lookUp.query], ['/v19.0/900800', { phone_number_id: '6' }])
  assert.equal(download.path, '/files/1')
  assert.equal(download.headers.authorization, 'Bearer EAAG-secret-token')
})

test('what the look-up omits is taken from the download, and a hash may be Base64', async () => {
  platform.answers(
    link('/files/1', { mime_type: undefined, sha256: sha256.toString('base64'), file_size: 'many' }),
    file,
  )
  const { bytes, ...facts } = await chat.downloadMedia('1')
  bytes.destroy()
  assert.deepEqual(facts, { mimeType: 'image/x-other', size: 8, sha256: sha256.toString('hex') })
  platform.answers(link('/files/1', { sha256: 'nonsense', mime_type: '' }), (_, response) => {
    response.write(picture)
    response.end()
  })
  const other = await chat.downloadMedia('1')
  other.bytes.destroy()
  assert.deepEqual([other.mimeType, other.size, other.sha256], ['application/octet-stream', null, null])
})

test('an expired link is looked up again, once', async () => {
  for (const status of [401, 403, 404, 410]) {
    platform.answers(link('/files/old'), { status, text: 'expired' }, link('/files/new'), file)
    assert.deepEqual(await bytesOf((await chat.downloadMedia('1')).bytes), picture)
    assert.deepEqual(
      platform.asked.map(({ path }) => path),
      ['/v19.0/1', '/files/old', '/v19.0/1', '/files/new'],
    )
  }
  platform.answers(link(), { status: 404, text: 'expired' }, link(), { status: 404, text: 'expired' })
  await assert.rejects(chat.downloadMedia('1'), { code: 'http_404', verdict: 'fail' })
  assert.equal(platform.asked.length, 4)
})

test('the token is never sent to a foreign host', async () => {
  stranger.answers(file)
  const foreign = [
    'https://stranger.example/f',
    'https://lookaside.fbsbx.com.stranger.example/f',
    'https://notfbsbx.com/f',
    'http://lookaside.fbsbx.com/f',
    'https://lookaside.fbsbx.com:8443/f',
    'https://fbsbx.com@stranger.example/f',
    'http://localhost.stranger.example/f',
  ]
  for (const url of foreign) {
    platform.answers(link('', { url }))
    await assert.rejects(chat.downloadMedia('1'), { code: 'foreign_host', verdict: 'fail' }, url)
  }
  for (const url of ['', 'not a link', undefined, 7]) {
    platform.answers(link('', { url }))
    await assert.rejects(chat.downloadMedia('1'), { code: 'bad_answer', verdict: 'retry' })
  }
  assert.equal(stranger.asked.length, 0)
})

test('a redirect of a download is not followed', async () => {
  stranger.answers(file)
  platform.answers(link(), { status: 302, headers: { location: `${stranger.url}/f` }, text: '' })
  await assert.rejects(chat.downloadMedia('1'), { code: 'http_302', verdict: 'fail' })
  assert.equal(stranger.asked.length, 0)
})

test('a local platform may serve files on another of its ports', async () => {
  stranger.answers(file)
  platform.answers(link('', { url: stranger.url.replace('127.0.0.1', 'localhost') }))
  assert.deepEqual(await bytesOf((await chat.downloadMedia('1')).bytes), picture)
})

test('a remote platform may serve files on another port of its host, and nowhere else', async () => {
  const elsewhere = (url: string) => url.replace('127.0.0.1', '0.0.0.0')
  const far = chatAt(elsewhere(platform.url))
  stranger.answers(file)
  platform.answers(link('', { url: elsewhere(stranger.url) }))
  assert.deepEqual(await bytesOf((await far.downloadMedia('1')).bytes), picture)
  platform.answers(link('', { url: stranger.url }))
  await assert.rejects(far.downloadMedia('1'), { code: 'foreign_host', verdict: 'fail' })
})

test('a file above the size limit is refused, with or without a declared length', async () => {
  const small = chatAt(platform.url, { maxMediaBytes: 4 })
  platform.answers(link('/files/1', { file_size: 8 }), file)
  await assert.rejects(small.downloadMedia('1'), { code: 'too_large', verdict: 'fail' })
  assert.equal(platform.asked.length, 1)
  platform.answers(link(), file)
  await assert.rejects(small.downloadMedia('1'), { code: 'too_large', verdict: 'fail' })
  platform.answers(link(), (_, response) => {
    response.write(picture)
    response.end()
  })
  const { bytes } = await small.downloadMedia('1')
  await assert.rejects(bytesOf(bytes), { code: 'too_large', verdict: 'fail' })
})

test('a download that breaks off fails like the request itself', async () => {
  platform.answers(link(), (_, response) => {
    response.writeHead(200, { 'content-length': 100 })
    response.write(picture, () => setTimeout(() => response.socket?.destroy(), 20))
  })
  const { bytes } = await chat.downloadMedia('1')
  await assert.rejects(bytesOf(bytes), (error) => {
    assert.ok(error instanceof ChatError)
    assert.deepEqual([error.verdict, error.code], ['retry', 'no_answer'])
    return true
  })
})

test('an unknown file and a failing platform are reported', async () => {
  platform.answers({ status: 400, json: { error: { code: 100, error_subcode: 33, message: 'no such object' } } })
  await assert.rejects(chat.downloadMedia('1'), { code: '100', verdict: 'fail' })
  platform.answers(link(), { status: 503, text: '' })
  await assert.rejects(chat.downloadMedia('1'), { code: 'http_503', verdict: 'retry' })
})
