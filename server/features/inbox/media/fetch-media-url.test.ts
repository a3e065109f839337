import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import { test } from 'node:test'
import { ok } from '../../../testing/app.ts'
import { filesOf, newCustomer, startChatApp } from '../../../testing/conversations.ts'
import { listenLocally } from '../../../testing/listen-locally.ts'
import { fileThatStarts, pdf } from '../../../testing/sample-files.ts'

const { app, platform, newOrganization } = await startChatApp({ settings: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
const acme = await newOrganization()
const globex = await newOrganization()
const { call } = acme

/** A third-party web server that the outbound guard allows. */
async function serve(listener: RequestListener): Promise<string> {
  const { url } = await listenLocally(createServer(listener))
  return url
}

test('a file at media_url is downloaded, stored and sent', async () => {
  const { ticketId } = await acme.receives({ from: newCustomer() })
  const asked: string[] = []
  const url = await serve((request, response) => {
    asked.push(request.url ?? '')
    assert.equal(request.headers.authorization, undefined)
    if (request.url === '/moved') response.writeHead(302, { location: '/deep/Ihr%20Angebot.pdf' }).end()
    else response.writeHead(200, { 'content-type': 'application/pdf' }).end(pdf)
  })
  const body = { message_type: 'document', body: 'Your offer', media_url: `${url}/moved` }
  const message = ok(await call('POST', `inbox/messages/${ticketId}`, body, { 'idempotency-key': 'fetched' }), 201)
  assert.deepEqual(
    [message.message_type, message.media_mime_type, message.media_filename],
    ['document', 'application/pdf', 'Ihr Angebot.pdf'],
  )
  assert.deepEqual(platform.media.get(platform.sent.at(-1).document.id)?.bytes, Buffer.from(pdf))
  assert.deepEqual(asked, ['/moved', '/deep/Ihr%20Angebot.pdf'])
  assert.deepEqual(
    (await call('POST', `inbox/messages/${ticketId}`, body, { 'idempotency-key': 'fetched' })).body,
    message,
  )
  assert.equal(asked.length, 2)
  assert.equal(ok(await call('POST', `inbox/messages/${ticketId}`, { media_url: url }), 201).message_type, 'document')
})

test('a media_url that is internal, unreachable or not a usable file is rejected, and nothing is stored', async () => {
  const { ticketId } = await globex.receives({ from: newCustomer() })
  const url = await serve((request, response) => {
    if (request.url === '/inside') response.writeHead(302, { location: 'http://10.0.0.1/' }).end()
    else if (request.url === '/around') response.writeHead(302, { location: '/around' }).end()
    else if (request.url === '/file') response.writeHead(302, { location: 'file:///etc/passwd' }).end()
    else if (request.url === '/html') response.writeHead(200, { 'content-type': 'image/png' }).end('<script>')
    else if (request.url === '/cut')
      response.writeHead(200, { 'content-length': '100' }).write('cut', () => response.destroy())
    else if (request.url === '/empty') response.writeHead(200).end()
    else response.writeHead(404).end()
  })
  const attempt = (media_url: string) =>
    globex.call('POST', `inbox/messages/${ticketId}`, { message_type: 'image', media_url })
  for (const address of [
    'http://10.0.0.1/a.png',
    'http://169.254.169.254/latest/meta-data',
    'http://[::1]/a.png',
    'http://0x0a000001/',
    'http://[::ffff:10.0.0.1]/',
    'ftp://example.com/a.png',
    `${url}/inside`,
    `${url}/around`,
    `${url}/file`,
    `${url}/html`,
    `${url}/cut`,
    `${url}/empty`,
    `${url}/missing`,
    'http://127.0.0.1:1/',
  ]) {
    const answer = await attempt(address)
    assert.deepEqual([answer.status, answer.body.detail?.[0]?.loc], [422, ['body', 'media_url']], address + answer.text)
  }
  const large = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'image/png' })
    response.end(fileThatStarts('\x89PNG\r\n\x1a\n', 6 * 1024 * 1024))
  })
  assert.equal((await attempt(large)).status, 413)
  assert.equal((await globex.call('GET', `inbox/messages/${ticketId}`)).body.total, 1)
  assert.deepEqual(await filesOf(app, globex), [])
})
