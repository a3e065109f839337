import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../platform/ids.ts'
import { ok } from '../../../testing/app.ts'
import { refusal } from '../../../testing/chat-platform.ts'
import { connectOwner } from '../../../testing/connect-owner.ts'
import { filesOf, newCustomer, startChatApp } from '../../../testing/conversations.ts'
import { fileThatStarts, gif, jpeg, mp4, ogg, pdf, png } from '../../../testing/sample-files.ts'
import { encodeForm, type Upload, upload } from '../../../testing/uploads.ts'

const { app, platform, newOrganization } = await startChatApp()
const acme = await newOrganization()
const globex = await newOrganization()
const { call } = acme
const owner = await connectOwner(app)

const send = (ticketId: string, parts: Upload, headers = {}) =>
  upload(call, `inbox/messages/${ticketId}`, { fileName: 'a file', ...parts }, headers)
const pathOf = (url: string) => new URL(url).pathname

test('a file in a form is stored, uploaded to the platform and sent by its media id', async () => {
  const { ticketId } = await acme.receives({ from: newCustomer() })
  for (const [file, message_type, media_mime_type, fileName] of [
    [png, 'image', 'image/png', 'cat.png'],
    [jpeg, 'image', 'image/jpeg', 'cat.jpg'],
    [pdf, 'document', 'application/pdf', 'Angebot für Ines.pdf'],
    [mp4, 'video', 'video/mp4', 'clip.mp4'],
    [ogg, 'audio', 'audio/ogg', 'voice.ogg'],
    [jpeg, 'document', 'image/jpeg', 'scan.jpg'],
  ] as const) {
    const fields = { message_type, ...(message_type !== 'audio' && { body: 'Look' }) }
    const message = ok(await send(ticketId, { file, fileName, fields }), 201)
    assert.deepEqual(
      [message.message_type, message.media_mime_type, message.media_filename, message.status],
      [message_type, media_mime_type, fileName, 'sent'],
    )
    const { type, biz_opaque_callback_data, [message_type]: content } = platform.sent.at(-1)
    assert.deepEqual([type, biz_opaque_callback_data], [message_type, message.id])
    const uploaded = platform.media.get(content.id)
    assert.deepEqual([uploaded?.mimeType, uploaded?.bytes], [media_mime_type, Buffer.from(file)])
    assert.equal(content.caption, message_type === 'audio' ? undefined : 'Look')
    assert.equal(content.filename, message_type === 'document' ? fileName : undefined)
    assert.match(message.media_url, /^https:\/\/desk\.example\.com\/api\/v1\/inbox\/media\/[0-9a-f-]{36}$/)
    const download = await call('GET', pathOf(message.media_url))
    assert.equal(download.status, 200)
    assert.equal(download.headers['content-length'], String(file.length))
  }
})

test('the message type follows from the file unless the caller sets it', async () => {
  const { ticketId } = await acme.receives({ from: newCustomer() })
  for (const [file, message_type] of [
    [png, 'image'],
    [mp4, 'video'],
    [ogg, 'audio'],
    [pdf, 'document'],
  ] as const)
    assert.equal(ok(await send(ticketId, { file }), 201).message_type, message_type)
})

test('the detected type of a file takes precedence over the declared one', async () => {
  const { ticketId } = await acme.receives({ from: newCustomer() })
  const declared = async (file: Uint8Array<ArrayBuffer>, type: string, message_type = 'document') => {
    const form = new FormData()
    form.append('message_type', message_type)
    form.append('file', new Blob([file], { type }), 'x')
    const { body, headers } = await encodeForm(form)
    return call('POST', `inbox/messages/${ticketId}`, body, headers)
  }
  const typeOf = async (file: Uint8Array<ArrayBuffer>, type: string) =>
    ok(await declared(file, type), 201).media_mime_type
  assert.equal(await typeOf(png, 'application/pdf'), 'image/png')
  assert.equal(await typeOf(fileThatStarts('Hello'), 'text/plain; charset=utf-8'), 'text/plain')
  for (const claim of ['image/jpeg', 'nonsense'])
    assert.match(
      (await declared(fileThatStarts('Hello'), claim)).body.detail[0].msg,
      /this is application\/octet-stream$/,
    )
  const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
  assert.equal(await typeOf(fileThatStarts('PK\x03\x04'), docx), docx)
  const disguised = await declared(fileThatStarts('<script>'), 'image/png', 'image')
  assert.deepEqual([disguised.status, disguised.body.detail[0].loc], [422, ['body', 'file']])
})

test('a file that the platform does not accept is rejected before anything is sent, with the accepted types', async () => {
  const { ticketId } = await acme.receives({ from: newCustomer() })
  const sent = platform.sent.length
  const uploads = platform.media.size
  const webp = fileThatStarts('RIFF\0\0\0\0WEBPVP8 ')
  const zip = fileThatStarts('PK\x03\x04')
  for (const [file, fileName, fields] of [
    [zip, 'archive.zip', {}],
    [zip, 'archive.zip', { message_type: 'document' }],
    [webp, 'picture.webp', {}],
    [webp, 'picture.webp', { message_type: 'image' }],
    [gif, 'moving.gif', {}],
    [fileThatStarts('a;b;c'), 'table.csv', {}],
  ] as [Uint8Array<ArrayBuffer>, string, Record<string, string>][]) {
    const answer = await send(ticketId, { file, fileName, fields })
    assert.equal(answer.status, 422, answer.text)
    const [{ loc, msg, type }] = answer.body.detail
    assert.deepEqual([loc, type], [['body', 'file'], 'media_type'])
    assert.match(
      msg,
      fields.message_type === 'image'
        ? /takes image\/jpeg, image\/png as image/
        : /application\/pdf, text\/plain.* as document/,
    )
  }
  assert.deepEqual([platform.sent.length, platform.media.size], [sent, uploads])
  // A client that does not know office types can still send them.
  const sheet = ok(await send(ticketId, { file: zip, fileName: 'Offer.XLSX' }), 201)
  assert.equal(sheet.media_mime_type, 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
})

test('an invalid form is rejected with the location of the error, and nothing is stored or sent', async () => {
  const { ticketId } = await globex.receives({ from: newCustomer() })
  const sent = platform.sent.length
  const uploads = platform.media.size
  const attempt = (parts: Upload) => upload(globex.call, `inbox/messages/${ticketId}`, parts)
  for (const [parts, loc] of [
    [{ fields: { body: 'No file' } }, ['body', 'file']],
    [{ file: new Uint8Array() }, ['body', 'file']],
    [{ file: png, fields: { message_type: 'text' } }, ['body', 'file']],
    [{ file: png, fields: { message_type: 'audio' } }, ['body', 'file']],
    [{ file: pdf, fields: { message_type: 'image' } }, ['body', 'file']],
    [{ file: gif, fields: { message_type: 'image' } }, ['body', 'file']],
    [{ file: png, fields: { message_type: 'sticker' } }, ['body', 'message_type']],
    [{ file: png, fields: { body: 'x'.repeat(1025) } }, ['body', 'body']],
    [{ file: png, fields: { body: 'NUL \0' } }, ['body', 'body']],
    [{ file: ogg, fields: { body: 'Audio has no caption' } }, ['body', 'body']],
    [{ file: png, fields: { context_message_id: 'x'.repeat(513) } }, ['body', 'context_message_id']],
  ] as [Upload, string[]][]) {
    const answer = await attempt(parts)
    assert.deepEqual([answer.status, answer.body.detail?.[0]?.loc], [422, loc], answer.text)
  }
  const unknown = await attempt({ file: png, fields: { context_message_id: 'wamid.nothing' } })
  assert.equal(unknown.status, 404)
  assert.equal((await upload(globex.call, `inbox/messages/${newId()}`, { file: png })).status, 404)
  assert.equal((await globex.call('GET', `inbox/messages/${ticketId}`)).body.total, 1)
  assert.deepEqual([platform.sent.length, platform.media.size], [sent, uploads])
  assert.deepEqual(await filesOf(app, globex), [])
  const { rows } = await owner.query('select key from removed_files where organization_id = $1', [globex.id])
  assert.deepEqual(rows, [])
})

test('a file above the platform’s size limit is rejected', async () => {
  const { ticketId } = await acme.receives({ from: newCustomer() })
  const before = (await filesOf(app, acme)).length
  const megabyte = 1024 * 1024
  for (const [file, message_type] of [
    [fileThatStarts('\x89PNG\r\n\x1a\n', 5 * megabyte + 1), 'image'],
    [fileThatStarts('OggS', 16 * megabyte + 1), 'audio'],
  ] as const) {
    const answer = await send(ticketId, { file, fields: { message_type } })
    assert.equal(answer.status, 413, answer.text)
    assert.match(answer.body.detail, new RegExp(`bytes as ${message_type}`))
  }
  ok(await send(ticketId, { file: fileThatStarts('\x89PNG\r\n\x1a\n', 5 * megabyte) }), 201)
  assert.equal((await filesOf(app, acme)).length, before + 1)
})

test('a repeated Idempotency-Key with the same form sends once, with other bytes it is rejected', async () => {
  const { ticketId } = await acme.receives({ from: newCustomer() })
  const headers = { 'idempotency-key': 'a form' }
  const sent = platform.sent.length
  const before = (await filesOf(app, acme)).length
  const first = ok(await send(ticketId, { file: png, fields: { body: 'Look' } }, headers), 201)
  const replay = await send(ticketId, { file: png, fields: { body: 'Look' } }, headers)
  assert.deepEqual([replay.status, replay.body], [201, first])
  assert.equal(replay.headers['idempotent-replayed'], 'true')
  assert.equal((await send(ticketId, { file: jpeg, fields: { body: 'Look' } }, headers)).status, 409)
  assert.equal((await send(ticketId, { file: png, fields: { body: 'Look!' } }, headers)).status, 409)
  assert.equal((await send(ticketId, { file: png, fileName: 'b', fields: { body: 'Look' } }, headers)).status, 409)
  assert.equal(platform.sent.length, sent + 1)
  assert.equal((await filesOf(app, acme)).length, before + 1)
})

test('a file that the platform refuses leaves a failed message that still has its file', async () => {
  const { ticketId } = await acme.receives({ from: newCustomer() })
  platform.nextMedia.push(refusal(131053, 'Media upload error'))
  const sent = platform.sent.length
  const answer = await send(ticketId, { file: png })
  assert.deepEqual([answer.status, answer.body.upstream.code], [502, 131053], answer.text)
  assert.equal(platform.sent.length, sent)
  const { messages } = (await call('GET', `inbox/messages/${ticketId}?order=desc&limit=1`)).body
  assert.deepEqual([messages[0].id, messages[0].status], [answer.body.message_id, 'failed'])
  assert.equal((await call('GET', pathOf(messages[0].media_url))).status, 200)
})
