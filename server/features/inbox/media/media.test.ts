import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { newId } from '../../../platform/ids.ts'
import { ok } from '../../../testing/app.ts'
import { connectOwner } from '../../../testing/connect-owner.ts'
import { filesOf, newCustomer, sendingOf, startChatApp } from '../../../testing/conversations.ts'
import { until } from '../../../testing/process.ts'
import { fileThatStarts, jpeg, pdf, png } from '../../../testing/sample-files.ts'
import { type Upload, upload } from '../../../testing/uploads.ts'
import { sweepFilesJob } from '../../files/jobs.ts'
import { fetchMedia } from './fetch-media.ts'

const { app, platform, newOrganization } = await startChatApp()
const acme = await newOrganization()
const globex = await newOrganization()
const { call } = acme
const owner = await connectOwner(app)

const sha256 = (file: Uint8Array) => createHash('sha256').update(file).digest('hex')
const send = (ticketId: string, parts: Upload) =>
  upload(call, `inbox/messages/${ticketId}`, { fileName: 'a file', ...parts })
const pathOf = (url: string) => new URL(url).pathname

test('a download has the headers that make an untrusted file harmless, and supports range requests', async () => {
  const { ticketId } = await acme.receives({ from: newCustomer() })
  const image = pathOf(ok(await send(ticketId, { file: png, fileName: 'Köpfe; (50%).png' }), 201).media_url)
  const page = fileThatStarts('<html><script>alert(1)</script>')
  const document = pathOf(ok(await send(ticketId, { file: page, fileName: 'x.txt' }), 201).media_url)
  const whole = await call('GET', image)
  assert.equal(whole.headers['content-type'], 'image/png')
  assert.equal(whole.headers['x-content-type-options'], 'nosniff')
  assert.match(String(whole.headers['content-security-policy']), /default-src 'none';.*sandbox/)
  assert.equal(
    whole.headers['content-disposition'],
    `inline; filename="K_pfe_ (50_).png"; filename*=UTF-8''K%C3%B6pfe%3B%20%2850%25%29.png`,
  )
  assert.equal(whole.headers.etag, `"${sha256(png)}"`)
  assert.match(String((await call('GET', document)).headers['content-disposition']), /^attachment; /)

  const { etag } = whole.headers
  const part = (headers: Record<string, string>) => call('GET', document, undefined, headers)
  const ranged = async (range: string) => {
    const { status, headers, text } = await part({ range })
    return [status, headers['content-range'], text]
  }
  assert.deepEqual(await ranged('bytes=0-5'), [206, 'bytes 0-5/2000', '<html>'])
  assert.deepEqual(await ranged('bytes=6-13'), [206, 'bytes 6-13/2000', '<script>'])
  assert.equal((await ranged('bytes=1990-'))[1], 'bytes 1990-1999/2000')
  assert.equal((await ranged('bytes=-10'))[1], 'bytes 1990-1999/2000')
  assert.equal((await ranged('bytes=1990-99999'))[1], 'bytes 1990-1999/2000')
  assert.deepEqual((await ranged('bytes=2000-')).slice(0, 2), [416, 'bytes */2000'])
  assert.deepEqual((await ranged('bytes=-0')).slice(0, 2), [416, 'bytes */2000'])
  for (const range of ['bytes=5-2', 'bytes=0-1,4-5', 'lines=1-2', 'bytes=-'])
    assert.equal((await part({ range })).status, 200)
  assert.equal((await call('GET', image, undefined, { 'if-none-match': String(etag) })).status, 304)
  assert.equal((await call('GET', image, undefined, { 'if-none-match': '"other"' })).status, 200)
  const resume = (ifRange: string) => call('GET', image, undefined, { range: 'bytes=1-3', 'if-range': ifRange })
  assert.deepEqual([(await resume(String(etag))).status, (await resume('"other"')).status], [206, 200])

  for (const caller of [globex.call, app.as((await app.key(acme.id, { mode: 'test' })).secret)])
    assert.deepEqual((await caller('GET', image)).body, { detail: 'Media not found' })
  assert.equal((await app.call('GET', image)).status, 401)
})

const receives = async (file: Uint8Array, mimeType: string, members: object = {}) => {
  const platformId = newId()
  platform.media.set(platformId, { bytes: Buffer.from(file), mimeType })
  const media = { platformId, mimeType, fileName: null, sha256: null, ...members }
  const received = await acme.receives({ from: newCustomer(), type: 'image', body: '', media })
  const { messages } = (await call('GET', `inbox/messages/${received.ticketId}`)).body
  return { ...received, platformId, path: pathOf(messages[0].media_url), message: messages[0] }
}
const fetched = (path: string) => until(async () => (await call('GET', path)).status === 200)

test('a contact’s file is downloaded, stored and served', async () => {
  const inBase64 = createHash('sha256').update(jpeg).digest('base64')
  const { path, message } = await receives(jpeg, 'image/jpeg', { sha256: inBase64 })
  assert.deepEqual([message.media_mime_type, message.media_filename], ['image/jpeg', null])
  await fetched(path)
  const { headers } = await call('GET', path)
  assert.deepEqual([headers.etag, headers['content-type']], [`"${sha256(jpeg)}"`, 'image/jpeg'])
  assert.equal(headers['content-disposition'], 'inline')
})

test('a file name with a path does not affect where the file is saved', async () => {
  for (const fileName of ['../../etc/notes.txt', 'C:\\temp\\notes.txt']) {
    const { path } = await receives(png, 'text/plain', { fileName })
    await fetched(path)
    const { headers } = await call('GET', path)
    assert.equal(headers['content-disposition'], `attachment; filename="notes.txt"; filename*=UTF-8''notes.txt`)
  }
})

test('a file with no type, or with two, is served as an attachment of bytes', async () => {
  for (const claim of ['image/png\r\nx-evil: 1', 'audio/x, text/html', 'video/日本', 'nonsense', 'image/png\u0001']) {
    const { path } = await receives(png, 'image/png', { mimeType: claim })
    await until(async () => (await call('GET', path)).status !== 409)
    const { status, headers } = await call('GET', path)
    const shown = [status, headers['content-type'], headers['content-disposition'], headers['x-evil']]
    assert.deepEqual(shown, [200, 'application/octet-stream', 'attachment', undefined], claim)
  }
  const { path } = await receives(png, 'image/png', { mimeType: 'Audio/OGG; codecs=opus' })
  await fetched(path)
  const { headers } = await call('GET', path)
  assert.deepEqual([headers['content-type'], headers['content-disposition']], ['audio/ogg; codecs=opus', 'inline'])
})

test('a file that is not available yet or arrives damaged is retried until it is right', async () => {
  platform.nextMedia.push({ status: 503, body: {} })
  const { path, platformId } = await receives(png, 'image/png', { sha256: sha256(png) })
  platform.media.set(platformId, { bytes: Buffer.from(jpeg), mimeType: 'image/png', sha256: sha256(png) })
  await until(async () => {
    const { rows } = await owner.query(
      `select retry_count from pgboss.job where name = 'inbox.fetch-media' and state = 'retry' and retry_count >= 1`,
    )
    return rows.length > 0
  })
  const pending = await call('GET', path)
  assert.deepEqual(
    [pending.status, pending.body.detail],
    [409, 'This file is still being fetched from the messaging platform'],
  )
  platform.media.set(platformId, { bytes: Buffer.from(png), mimeType: 'image/png' })
  await fetched(path)
  assert.equal((await call('GET', path)).headers.etag, `"${sha256(png)}"`)
})

test('a file that the platform has lost is reported as such, and nothing of it is stored', async () => {
  const before = (await filesOf(app, acme)).length
  const { path } = await receives(png, 'image/png', { platformId: 'gone' })
  await until(async () => (await call('GET', path)).status === 404)
  assert.match((await call('GET', path)).body.detail, /^This file could not be fetched: /)
  assert.equal((await filesOf(app, acme)).length, before)
})

test('a file that did not arrive within the platform’s seven days is given up', async () => {
  platform.nextMedia.push(...Array(100).fill({ status: 503, body: {} }))
  const { path } = await receives(png, 'image/png')
  await owner.query(`update message_media set created_at = now() - interval '8 days' where id = $1`, [
    path.split('/').at(-1),
  ])
  await until(async () => (await call('GET', path)).status === 404)
  platform.nextMedia.length = 0
})

test('two workers that fetch one file store it once', async () => {
  const { path, platformId } = await receives(png, 'image/png')
  await fetched(path)
  const id = path.split('/').at(-1) as string
  await owner.query(`update message_media set state = 'pending', file_key = null where id = $1`, [id])
  const deps = sendingOf(app)
  const { signal } = new AbortController()
  await Promise.all(Array.from({ length: 5 }, () => fetchMedia(deps, acme.scope, id, signal)))
  assert.equal((await call('GET', path)).status, 200)
  const { rows } = await owner.query('select state, file_key, sha256 from message_media where platform_media_id = $1', [
    platformId,
  ])
  assert.deepEqual(rows, [{ state: 'stored', file_key: rows[0].file_key, sha256: sha256(png) }])
  assert.equal((await filesOf(app, acme)).filter((name) => name === id).length, 1)
  // If the message is gone, the bytes that arrive late are removed too.
  await owner.query('delete from message_media where id = $1', [id])
  await owner.query('delete from removed_files')
  await fetchMedia(deps, acme.scope, id, signal)
  assert.equal((await filesOf(app, acme)).filter((name) => name === id).length, 0)
})

test('deleting a contact removes the files of its messages in both directions', async () => {
  const inbound = await receives(png, 'image/png')
  await fetched(inbound.path)
  const outbound = pathOf(ok(await send(inbound.ticketId, { file: pdf }), 201).media_url)
  const names = [inbound.path, outbound].map((path) => path.split('/').at(-1) as string)
  const kept = async () => (await filesOf(app, acme)).filter((name) => names.includes(name)).length
  assert.equal(await kept(), 2)
  assert.equal((await call('DELETE', `contacts/${inbound.contactId}`)).status, 200)
  assert.equal((await call('GET', inbound.path)).status, 404)
  await app.database.inSystem((tx) => tx.enqueue(sweepFilesJob, {}))
  await until(async () => (await kept()) === 0)
  await until(async () => (await owner.query('select from removed_files')).rowCount === 0)
})
