import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { dnsServer } from '../testing/dns-server.ts'
import { freePort, until } from '../testing/process.ts'
import { malformedAllowEntries } from './address-guard.ts'
import type { HostLookup } from './host-lookup.ts'
import { createOutboundHttp, OutboundError, type OutboundOptions, type OutboundRequest } from './outbound-fetch.ts'

const toClose: (() => unknown)[] = []
after(() => Promise.all(toClose.map((close) => close())))

function outbound(options: OutboundOptions = {}) {
  const http = createOutboundHttp(options)
  toClose.push(http.close)
  return http
}

const listening = async (server: Server) => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** A real server that counts its requests. */
async function serve(listener: RequestListener) {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    listener(request, response)
  })
  toClose.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  const port = await listening(server)
  return { url: `http://127.0.0.1:${port}`, port, seen }
}

/** A raw TCP server that speaks no HTTP by itself. */
async function tcp(onConnection: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    onConnection(socket)
  })
  toClose.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${await listening(server)}`
}

const limits = { timeLimitMs: 30_000, maxBytes: 1_000_000 }
/** The limit of a request that gets no answer: long enough to be sent on a slow machine. */
const unansweredMs = 1_500
const http = outbound()
const get = (url: string, more: Partial<OutboundRequest> = {}) => http.fetch({ url, ...limits, ...more })

const fails = (promise: Promise<unknown>, fault: string, sent: boolean) =>
  assert.rejects(promise, (error) => {
    assert.ok(error instanceof OutboundError, String(error))
    assert.deepEqual({ fault: error.fault, sent: error.sent }, { fault, sent })
    return true
  })

test('a request and its response arrive complete, whatever the status', async () => {
  const { url } = await serve((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      response.writeHead(418, { 'X-Twice': ['a', 'b'] })
      response.end(`${request.method} ${request.url} ${request.headers['x-mine']} ${body}`)
    })
  })
  const answer = await get(`${url}/a/b?c=d`, { method: 'POST', headers: { 'X-Mine': 'yes' }, body: 'hello' })
  assert.equal(answer.status, 418)
  assert.equal(answer.headers['x-twice'], 'a, b')
  assert.equal(answer.body.toString(), 'POST /a/b?c=d yes hello')
})

test('connections are reused', async () => {
  const ports = new Set<number | undefined>()
  const { url } = await serve((request, response) => {
    ports.add(request.socket.remotePort)
    response.end('ok')
  })
  for (let i = 0; i < 20; i++) await get(url)
  // A connection is briefly busy after a response, so the next request may need a second one.
  assert.ok(ports.size <= 2, `${ports.size} connections`)
})

test('a redirect is returned and not followed', async () => {
  const { url, seen } = await serve((_, response) => response.writeHead(302, { location: '/elsewhere' }).end())
  assert.equal((await get(url)).status, 302)
  assert.deepEqual(seen, ['GET /'])
})

test('connection refused or unknown host: the request was certainly not sent', async () => {
  await fails(get(`http://127.0.0.1:${await freePort()}`), 'unreachable', false)
  await fails(get('http://does-not-exist.invalid/'), 'unreachable', false)
})

test('a timeout while waiting for a connection: certainly not sent, now or later', async () => {
  const { url, seen } = await serve((_, response) => response.end('ok'))
  const narrow = outbound({ connectionsPerOrigin: 1 })
  let release = () => {}
  const slow = await serve((_, response) => {
    release = () => response.end('at last')
  })
  const first = narrow.fetch({ url: slow.url, ...limits })
  await until(async () => slow.seen.length === 1)
  await fails(narrow.fetch({ url: `${slow.url}/second`, ...limits, timeLimitMs: 50 }), 'timeout', false)
  release()
  await first
  await narrow.fetch({ url, ...limits })
  assert.deepEqual([...slow.seen, ...seen], ['GET /', 'GET /'])
})

test('a timeout after sending: the request may have been processed', async () => {
  const silent = await serve(() => {})
  const halfway = await serve((_, response) => response.writeHead(200, { 'content-length': 10 }).write('half'))
  await Promise.all([
    fails(get(silent.url, { method: 'POST', body: 'x', timeLimitMs: unansweredMs }), 'timeout', true),
    fails(get(halfway.url, { timeLimitMs: unansweredMs }), 'timeout', true),
  ])
})

test('a connection that breaks after sending: the request may have been processed', async () => {
  const before = await tcp((socket) => socket.once('data', () => socket.resetAndDestroy()))
  await fails(get(before, { method: 'POST', body: 'x' }), 'broken', true)
  const inBody = await serve((_, response) => {
    response.writeHead(200, { 'content-length': 10 })
    response.write('half', () => response.socket?.destroy())
  })
  await fails(get(inBody.url), 'broken', true)
  const inChunks = await serve((_, response) => {
    response.write('half', () => response.socket?.destroy())
  })
  await fails(get(inChunks.url), 'broken', true)
  const garbage = await tcp((socket) => socket.once('data', () => socket.end('this is no HTTP\r\n\r\n')))
  await fails(get(garbage), 'broken', true)
})

test('a response beyond the size limit is refused, with or without content-length', async () => {
  const announced = await serve((_, response) => response.end('x'.repeat(2_000)))
  await fails(get(announced.url, { maxBytes: 1_000 }), 'too_large', true)
  const chunked = await serve((_, response) => {
    response.write('x'.repeat(900))
    response.end('x'.repeat(900))
  })
  await fails(get(chunked.url, { maxBytes: 1_000 }), 'too_large', true)
  assert.equal((await get(announced.url, { maxBytes: 2_000 })).body.length, 2_000)
})

test('a caller that needs only the status gets what arrived within the time and size limits', async () => {
  const cut = { maxBytes: 1_000, cutOff: true }
  const announced = await serve((_, response) => response.writeHead(201).end('x'.repeat(2_000)))
  const { status, body } = await get(announced.url, cut)
  assert.deepEqual([status, body.length], [201, 1_000])
  const endless = await serve((_, response) => {
    const more = () => (response.write('x'.repeat(700)) ? setImmediate(more) : response.once('drain', more))
    more()
  })
  assert.equal((await get(endless.url, cut)).body.length, 1_000)
  const slow = await serve((_, response) => void response.writeHead(200).write('begun'))
  assert.equal((await get(slow.url, { ...cut, timeLimitMs: unansweredMs })).body.toString(), 'begun')
  const broken = await serve((_, response) => {
    response.writeHead(200, { 'content-length': 10 })
    response.write('half', () => setTimeout(() => response.socket?.destroy(), 20))
  })
  assert.equal((await get(broken.url, cut)).body.toString(), 'half')
  // Before the response has begun there is nothing to truncate.
  const silent = await serve(() => {})
  await fails(get(silent.url, { ...cut, timeLimitMs: unansweredMs }), 'timeout', true)
  const hangsUp = await serve((request) => request.socket.destroy())
  await fails(get(hangsUp.url, cut), 'broken', true)
})

test('the caller can cancel before and during a request', async () => {
  const silent = await serve(() => {})
  await fails(get(silent.url, { signal: AbortSignal.abort() }), 'cancelled', false)
  const during = new AbortController()
  const running = fails(get(silent.url, { signal: during.signal }), 'cancelled', true)
  await until(async () => silent.seen.length === 1)
  during.abort()
  await running
})

test('a streamed response arrives in chunks and fails in the middle like the request itself', async () => {
  const big = Buffer.alloc(3_000_000, 'x')
  const whole = await serve((_, response) => response.end(big))
  const answer = await http.stream({ url: whole.url, ...limits, maxBytes: 4_000_000 })
  let size = 0
  for await (const chunk of answer.body) size += chunk.length
  assert.equal(size, big.length)

  const broken = await serve((_, response) => {
    response.writeHead(200, { 'content-length': 10 })
    response.write('half', () => setTimeout(() => response.socket?.destroy(), 20))
  })
  const { body } = await http.stream({ url: broken.url, ...limits })
  await fails(body.toArray(), 'broken', true)

  const endless = await serve((_, response) => {
    const more = () => (response.write('x'.repeat(1_000)) ? setImmediate(more) : response.once('drain', more))
    more()
  })
  const tooMuch = await http.stream({ url: endless.url, ...limits, maxBytes: 100_000 })
  await fails(tooMuch.body.toArray(), 'too_large', true)
})

test('a streamed response that fails before it is read keeps its error for the reader', async () => {
  const closed = Promise.withResolvers<void>()
  const { url } = await serve((request, response) => {
    request.socket.on('close', () => closed.resolve())
    response.write('x'.repeat(2_000))
  })
  const { body } = await http.stream({ url, ...limits, maxBytes: 1_000 })
  await closed.promise
  await fails(body.toArray(), 'too_large', true)
})

test('destroying a streamed response frees its connection', async () => {
  const closed = Promise.withResolvers<void>()
  const { url } = await serve((request, response) => {
    request.socket.on('close', () => closed.resolve())
    response.writeHead(200, { 'content-length': 10 })
    response.write('half')
  })
  const { body } = await http.stream({ url, ...limits })
  body.destroy()
  await closed.promise
})

test('a request body is streamed, and an error of its source is rethrown unchanged', async () => {
  const { url } = await serve((request, response) => {
    let size = 0
    request.on('data', (chunk) => {
      size += chunk.length
    })
    request.on('end', () => response.end(`${request.headers['content-length']} ${size}`))
  })
  async function* chunks(broken = false) {
    yield Buffer.alloc(100_000)
    if (broken) throw new RangeError('the file is damaged')
    yield Buffer.alloc(23)
  }
  assert.equal((await get(url, { method: 'POST', body: chunks() })).body.toString(), 'undefined 100023')
  const headers = { 'content-length': '100023' }
  assert.equal((await get(url, { method: 'POST', headers, body: chunks() })).body.toString(), '100023 100023')
  await assert.rejects(get(url, { method: 'POST', body: chunks(true) }), new RangeError('the file is damaged'))
})

test('a guarded request reaches no internal address, in any notation', async () => {
  const { port, seen } = await serve((_, response) => response.end('inside'))
  const literals = [
    '127.0.0.1',
    '2130706433',
    '0x7f000001',
    '017700000001',
    '127.1',
    '0',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:93.184.216.34]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[fe80::1]',
    '[fc00::1]',
    '[fd12:3456::1]',
    '[ff02::1]',
    'localhost',
    'LOCALHOST.',
    'x.localhost',
  ]
  for (const host of literals) {
    const url = `http://${host}:${port}/`
    assert.equal(http.isForbiddenAddress(url), true, host)
    await fails(get(url, { guarded: true }), 'forbidden', false)
  }
  for (const host of ['93.184.216.34', '1.1.1.1', '[2606:4700::1111]', 'example.com', '172.32.0.1'])
    assert.equal(http.isForbiddenAddress(`https://${host}/`), false, host)
  assert.deepEqual(seen, [])
  assert.equal((await get(`http://127.0.0.1:${port}/`)).status, 200)
})

/** A name server whose answers the test sets. */
const names =
  (answers: () => string[]): HostLookup =>
  (_host, _options, resolved) =>
    resolved(
      null,
      answers().map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )

test('a name that resolves to an internal address only when connecting is refused (DNS rebinding)', async () => {
  const { port, seen } = await serve((_, response) => response.end('inside'))
  const url = `http://customer.example:${port}/`
  for (const inside of [['127.0.0.1'], ['::1'], ['::ffff:127.0.0.1'], ['10.0.0.1', 'fd00::1']]) {
    const guarded = outbound({ lookup: names(() => inside) })
    assert.equal(guarded.isForbiddenAddress(url), false)
    await fails(guarded.fetch({ url, ...limits, guarded: true }), 'forbidden', false)
  }
  assert.deepEqual(seen, [])
})

test('concurrent requests to a slow name resolve it once, and all of them are checked against the result', async () => {
  const { port, seen } = await serve((_, response) => response.end('inside'))
  const questions: { host: string; answer(address: string): void }[] = []
  const slowly: HostLookup = (host, _options, resolved) => {
    questions.push({ host, answer: (address) => resolved(null, [{ address, family: 4 }]) })
  }
  const guarded = outbound({ allow: ['customer.example'], lookup: slowly })
  const ask = (host: string) => guarded.fetch({ url: `http://${host}:${port}/`, ...limits, guarded: true })
  const reached = Array.from({ length: 20 }, () => ask('customer.example'))
  const refused = Array.from({ length: 20 }, () => fails(ask('stranger.example'), 'forbidden', false))
  await until(async () => questions.length === 2)
  // Wait until all requests have started their lookup.
  await new Promise((resolve) => setTimeout(resolve, 50))
  assert.deepEqual(
    questions.map(({ host }) => host),
    ['customer.example', 'stranger.example'],
  )
  for (const { answer } of questions.splice(0)) answer('127.0.0.1')
  await Promise.all([...reached, ...refused])
  assert.equal(seen.length, 20)
  // The result is not cached: the next connection resolves the name again.
  const again = fails(ask('stranger.example'), 'forbidden', false)
  await until(async () => questions.length === 1)
  questions[0]?.answer('10.0.0.1')
  await again
})

test('names of customers that get no answer delay neither the names of others nor lookups by the system', async () => {
  const { port } = await serve((_, response) => response.end('here'))
  const dns = await dnsServer()
  dns.hosts.set('hooks.example.com', '127.0.0.1')
  const guarded = outbound({ allow: ['127.0.0.0/8'], dnsServers: [dns.address] })
  const ask = (host: string) => guarded.fetch({ url: `http://${host}:${port}/`, ...limits, guarded: true })
  let silent = 0
  const waiting = Array.from({ length: 10 }, (_, n) =>
    fails(ask(`host${n}.silent`), 'unreachable', false).then(() => silent++),
  )
  assert.equal((await ask('hooks.example.com')).status, 200)
  assert.equal((await guarded.fetch({ url: `http://localhost:${port}/`, ...limits })).status, 200)
  await fails(ask('unknown.example.com'), 'unreachable', false)
  assert.equal(silent, 0, 'the others are still waiting')
  await Promise.all(waiting)
})

test('if a name has an external and an internal address, only the external one is tried', async () => {
  const { port, seen } = await serve((_, response) => response.end('inside'))
  // Nothing listens at the external address.
  const guarded = outbound({ lookup: names(() => ['127.0.0.1', '192.31.196.1']), connectTimeoutMs: 100 })
  const url = `http://customer.example:${port}/`
  await assert.rejects(guarded.fetch({ url, ...limits, timeLimitMs: 2_000, guarded: true }), { sent: false })
  assert.deepEqual(seen, [])
})

test('the allow list permits hosts, addresses and ranges', async () => {
  const { port } = await serve((_, response) => response.end('inside'))
  const inside = names(() => ['127.0.0.1'])
  const status = async (allow: string[], host: string) => {
    const guarded = outbound({ allow, lookup: inside })
    const url = `http://${host}:${port}/`
    assert.equal(guarded.isForbiddenAddress(url), false, `${allow} ${host}`)
    return (await guarded.fetch({ url, ...limits, guarded: true })).status
  }
  assert.equal(await status(['Hooks.Internal'], 'hooks.internal'), 200)
  assert.equal(await status(['127.0.0.1'], '127.0.0.1'), 200)
  assert.equal(await status(['127.0.0.0/8'], 'anything.example'), 200)
  assert.equal(await status(['localhost'], 'localhost'), 200)
  assert.equal(outbound({ allow: ['10.0.0.0/8'] }).isForbiddenAddress('http://127.0.0.1/'), true)
  assert.equal(outbound({ allow: ['fd00::/8'] }).isForbiddenAddress('http://[fd00::1]/'), false)
  await fails(
    outbound({ allow: ['other.internal'], lookup: inside }).fetch({
      url: `http://hooks.internal:${port}/`,
      ...limits,
      guarded: true,
    }),
    'forbidden',
    false,
  )
})

test('a malformed entry of the allow list is named', () => {
  const good = ['10.0.0.0/8', '::1', '[::1]', 'fd00::/8', 'hooks.internal', 'localhost', '192.168.1.7']
  assert.deepEqual(malformedAllowEntries(good), [])
  const bad = ['10.0.0.0/33', 'http://x', 'a b', 'host:80', '', 'fd00::/129', '10.0.0.0/8/8']
  assert.deepEqual(malformedAllowEntries(bad), bad)
})

test('an error names the host and never the path, the headers or the body', async () => {
  const { url } = await serve((_, response) => response.socket?.destroy())
  const failing = get(`${url}/secret-path?token=secret-query`, {
    method: 'POST',
    headers: { authorization: 'Bearer secret-token' },
    body: 'secret-body',
  })
  const error = await failing.catch((each) => each as OutboundError)
  const seen = [String(error), (error as Error).stack, JSON.stringify(error), String((error as Error).cause)].join(' ')
  assert.match(seen, /127\.0\.0\.1/)
  assert.doesNotMatch(seen, /secret/)
})
