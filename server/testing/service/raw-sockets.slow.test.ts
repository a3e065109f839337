import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { dataFolder, startProcess, until } from '../process.ts'
import { numbersFrom } from '../seeded-numbers.ts'

/** Bytes that any unauthenticated client can send to the port: none may end the process or stop it from answering. */

const key = `svc_sk_test_${'r'.repeat(40)}`
const running = await startProcess(await dataFolder(), { BOOTSTRAP_API_KEY: key, DEMO_DATA: 'false' })
const { port, host } = new URL(running.url)

/**
 * Writes the chunks and returns everything received. `cutOff` resets the connection after the last chunk; otherwise our
 * side is half-closed, and the server has to close its own.
 */
function exchange(pieces: (string | Buffer)[], { cutOff = false } = {}): Promise<string> {
  return new Promise((resolve) => {
    let heard = ''
    const socket = connect(Number(port), '127.0.0.1', () => {
      for (const piece of pieces) socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece)
      if (cutOff) socket.write('', () => socket.resetAndDestroy())
      else socket.end()
    })
    socket.setEncoding('latin1').on('data', (text: string) => {
      heard += text
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(heard))
  })
}

async function assertAlive(after: string): Promise<void> {
  assert.equal(running.child.exitCode, null, `it ended after ${after}:\n${running.output()}`)
  const answer = await fetch(`${running.url}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } })
  assert.equal(answer.status, 200, after)
  assert.doesNotMatch(running.output(), /uncaught exception/, after)
}

const upgradeHeaders = (target: string, more = '') =>
  `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n${more}\r\n`

// An existing channel. Its id is no secret: the carrier knows it.
const channels = await fetch(`${running.url}/api/v1/channels`, { headers: { authorization: `Bearer ${key}` } })
const [channel] = ((await channels.json()) as { data: { id: string }[] }).data
assert.ok(channel)
const mediaPath = `/hooks/voice/${channel.id}/media`
const webPath = `/api/v1/calls/web/${randomUUID()}?access_token=guess`

/** A WebSocket frame, malformed as its parts say. */
function frame(
  payload: string | Buffer,
  { opcode = 1, fin = true, rsv = 0, isMasked = true, length = -1 } = {},
): Buffer {
  const data = Buffer.from(payload)
  const said = length < 0 ? data.length : length
  const head = [(fin ? 0x80 : 0) | (rsv << 4) | opcode]
  const mask = isMasked ? 0x80 : 0
  if (said < 126) head.push(mask | said)
  else if (said < 65_536) head.push(mask | 126, said >> 8, said & 255)
  else head.push(mask | 127, ...[7, 6, 5, 4, 3, 2, 1, 0].map((i) => Math.floor(said / 256 ** i) % 256))
  // A mask of zeros leaves the payload unchanged.
  return Buffer.concat([Buffer.from(head), Buffer.alloc(isMasked ? 4 : 0), data])
}

test('an invalid request target is answered with 400 and does not end the process', async () => {
  for (const target of ['//', '///', '//[', '//:99999999', 'http://[', 'http://a:b/']) {
    for (const kind of ['x', 'websocket', 'h2c']) {
      const heard = await exchange([
        `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: ${kind}\r\n\r\n`,
      ])
      assert.match(heard, /^HTTP\/1\.1 400 /, `${target} ${kind}`)
    }
    await assertAlive(`an upgrade of ${target}`)
  }
})

test('a refused upgrade is closed although the client keeps its side open', async () => {
  for (const target of ['//', '/nowhere', mediaPath, webPath]) {
    const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true })
    socket.on('error', () => {})
    socket.write(upgradeHeaders(target, target === mediaPath ? 'Origin: http://elsewhere\r\n' : ''))
    socket.resume()
    await once(socket, 'end')
    // Only a closed connection refuses further bytes.
    await until(async () => {
      socket.write('more')
      return socket.destroyed
    })
    socket.destroy()
  }
})

test('malformed upgrades of every kind leave the process answering', async () => {
  const random = numbersFrom(1)
  const targets = [
    '//',
    '/',
    '*',
    mediaPath,
    webPath,
    '/%',
    '/%00',
    '/\\',
    '//@',
    'ws://x',
    `/${'a'.repeat(9000)}`,
    '/?%',
  ]
  const headers = [
    '',
    'Sec-WebSocket-Key: short\r\n',
    'Sec-WebSocket-Version: 99\r\n',
    'Sec-WebSocket-Protocol: ,,,\r\n',
    'Sec-WebSocket-Protocol: frontdesk\r\n',
    'Sec-WebSocket-Extensions: permessage-deflate; ;;=\r\n',
    'Origin: null\r\n',
    'Origin: http://[\r\n',
    'Content-Length: 5\r\n',
    'Transfer-Encoding: chunked\r\n',
  ]
  for (let i = 0; i < 240; i++) {
    const target = targets[random(targets.length)] as string
    const request = upgradeHeaders(target, headers[random(headers.length)]).split('\r\n')
    // Some lose a line, some get one twice.
    if (random(3) === 0) request.splice(1 + random(request.length - 2), 1)
    if (random(3) === 0) request.splice(1, 0, request[1 + random(request.length - 3)] as string)
    await exchange([request.join('\r\n')], { cutOff: random(2) === 0 })
  }
  await assertAlive('upgrades')
})

test('malformed frames of every kind leave the process answering', async () => {
  const random = numbersFrom(2)
  const start = { event: 'start', streamSid: 'MZ1', start: { callSid: 'CA1', customParameters: { ticket: 'guess' } } }
  const texts = [
    'not json',
    'null',
    '[]',
    '7',
    '{"event":"start"}',
    '{"event":"start","streamSid":1,"start":{"customParameters":null}}',
    '{"event":"start","streamSid":{},"start":{"customParameters":{"ticket":{}}}}',
    JSON.stringify(start),
    // Buffer.from(5) throws.
    '{"event":"media","media":{"payload":5}}',
    '{"event":"mark","mark":{"name":{}}}',
    '{"event":"dtmf","dtmf":{"digit":[]}}',
    '{"event":"stop"}',
    '{"type":"hangup"}',
    '{"type":"digit","digit":{}}',
  ].map((text) => frame(text))
  const broken = [
    frame('x', { opcode: 3 }),
    frame('x', { opcode: 15 }),
    frame('x', { rsv: 7 }),
    frame('x', { isMasked: false }),
    frame('x', { opcode: 0 }),
    frame('x', { opcode: 9, fin: false }),
    frame('x'.repeat(200), { opcode: 9 }),
    frame(Buffer.from([0xff, 0xfe, 0xc0])),
    frame(Buffer.from([0]), { opcode: 8 }),
    frame(Buffer.from([0, 1]), { opcode: 8 }),
    frame('x', { length: 2 ** 40 }),
    frame('x', { length: 60_000 }),
    frame(Buffer.alloc(640), { opcode: 2 }),
    frame('', { opcode: 8 }),
    Buffer.from([0x81]),
  ]
  // A stream that begins correctly and continues with undecodable data, before its ticket is checked.
  for (const text of texts) await exchange([upgradeHeaders(mediaPath), frame(JSON.stringify(start)), text])
  await assertAlive('a stream that begins well')
  for (let i = 0; i < 240; i++) {
    const frames = Array.from({ length: 1 + random(4) }, () => {
      const from = random(2) === 0 ? texts : broken
      return from[random(from.length)] as Buffer
    })
    const path = random(2) === 0 ? mediaPath : webPath
    await exchange([upgradeHeaders(path), Buffer.concat(frames)], { cutOff: random(2) === 0 })
  }
  await assertAlive('frames')
})

test('malformed HTTP and truncated bodies leave the process answering', async () => {
  const random = numbersFrom(3)
  const authorization = `Authorization: Bearer ${key}\r\n`
  const form = 'Content-Type: multipart/form-data; boundary=b\r\n'
  const json = 'Content-Type: application/json\r\n'
  const file = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nphone\r\n+1415'
  const requests = [
    '\0\0\0\0',
    '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'GET\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'GET / HTTP/1.1\r\n\r\n',
    `GET /${'%'.repeat(50)} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    `GET http://[/ HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    `BREW / HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: ${host}\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: ${host}\r\nA\0: b\r\n\r\n`,
    `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nHost: other\r\n\r\n`,
    `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: -1\r\n\r\n`,
    `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `POST /api/v1/contacts HTTP/1.1\r\nHost: ${host}\r\n${authorization}${json}Content-Length: 500\r\n\r\n{"phone_number":`,
    `POST /api/v1/contacts HTTP/1.1\r\nHost: ${host}\r\n${authorization}${json}Expect: 100-continue\r\nContent-Length: 9\r\n\r\n`,
    `POST /api/v1/contacts HTTP/1.1\r\nHost: ${host}\r\n${authorization}${json}Transfer-Encoding: chunked\r\n\r\nfff\r\n{"a`,
    `POST /api/v1/contacts HTTP/1.1\r\nHost: ${host}\r\n${authorization}${json}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
    `POST /api/v1/contacts/imports HTTP/1.1\r\nHost: ${host}\r\n${authorization}${form}Content-Length: 9000\r\n\r\n${file}`,
    `POST /api/v1/knowledge-base/upload HTTP/1.1\r\nHost: ${host}\r\n${authorization}${form}Content-Length: 9000\r\n\r\n${file}`,
    `POST /hooks/chat/${randomUUID()} HTTP/1.1\r\nHost: ${host}\r\n${json}Content-Length: 300\r\n\r\n{"entry":[`,
    `POST /mcp HTTP/1.1\r\nHost: ${host}\r\n${authorization}${json}Content-Length: 300\r\n\r\n{"jsonrpc":`,
    `GET /api/v1/stream HTTP/1.1\r\nHost: ${host}\r\n${authorization}\r\n`,
  ]
  for (let i = 0; i < 240; i++) {
    const request = Buffer.from(requests[i % requests.length] as string, 'latin1')
    // Unchanged, then with a flipped byte and truncated at random.
    if (i >= requests.length) request[random(request.length)] = random(256)
    const sent = i < requests.length ? request : request.subarray(0, 1 + random(request.length))
    await exchange([sent], { cutOff: i % 2 === 1 || sent.includes('/stream') })
  }
  await assertAlive('what is hardly HTTP')
  await until(async () => (await fetch(`${running.url}/readyz`)).status === 200)
})
