import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { pino } from 'pino'
import { guard, guardHttpServer, guardListeners, guardTimer } from './guard-listeners.ts'

test('an exception in a listener of a guarded emitter goes to its fault handler, whenever the listener was added', () => {
  const faults: string[] = []
  const emitter = new EventEmitter()
  emitter.on('early', () => {
    throw new Error('early fault')
  })
  guardListeners(emitter, (error, event, args) => faults.push(`${event} ${args}: ${(error as Error).message}`))
  const late = () => {
    throw new Error('late fault')
  }
  emitter.once('late', late).on('off', late).off('off', late)
  for (const event of ['early', 'late', 'late', 'off']) emitter.emit(event, 1)
  emitter.emit('error', new Error('an error without a listener'))
  guardTimer(emitter, late)()
  assert.deepEqual(faults, [
    'early 1: early fault',
    'late 1: late fault',
    'error Error: an error without a listener: an error without a listener',
    'timer : late fault',
  ])
})

test('a guarded listener may be asynchronous', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown[]>()
  const listener = guard(
    async (_a: number) => {
      throw new Error('rejected')
    },
    (...fault) => resolve(fault),
  )
  assert.equal(listener(7), undefined)
  const [error, argument] = await promise
  assert.deepEqual([(error as Error).message, argument], ['rejected', 7])
})

test('an exception in any listener of an HTTP server costs one connection', async (t) => {
  const lines: string[] = []
  const server = createServer((request, response) => {
    if (request.url === '/fault') throw new Error('request fault')
    response.end('fine')
  })
  guardHttpServer(server, pino({}, { write: (line) => lines.push(line) }))
  server.on('upgrade', () => {
    throw new Error('upgrade fault')
  })
  server.on('clientError', () => {
    throw new Error('clientError fault')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  const { port } = server.address() as { port: number }
  for (const request of [
    'GET /fault HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
    'not HTTP\r\n\r\n',
  ]) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.resume().write(request)
    await once(socket, 'close')
  }
  assert.equal(await (await fetch(`http://127.0.0.1:${port}/`)).text(), 'fine')
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).err.message),
    ['request fault', 'upgrade fault', 'clientError fault'],
  )
})
