import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { freePort } from '../testing/process.ts'
import { waitForDatabase } from './wait-for-database.ts'

test('if nothing listens in time, the error says what was tried, for how long and what to do', async () => {
  const port = await freePort()
  const said: string[] = []
  await assert.rejects(
    waitForDatabase(
      { host: '127.0.0.1', port, user: 'frontdesk', database: 'frontdesk' },
      { log: (line) => said.push(line), timeoutMs: 3_000 },
    ),
    new RegExp(`127.0.0.1:${port} did not accept connections within 3 seconds .*ECONNREFUSED.*DATABASE_URL`),
  )
  assert.equal(said.length, 1)
  assert.match(said[0] as string, /^database: PostgreSQL at .* is not ready .*waiting up to/)
})

test('a server that does not answer is waited for too', async (t) => {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  const { port } = server.address() as { port: number }
  const database = { host: '127.0.0.1', port, user: 'x', connectionTimeoutMillis: 50 }
  await assert.rejects(
    waitForDatabase(database, { log: () => {}, timeoutMs: 600 }),
    /did not accept connections within 1 seconds \(timeout expired\)/,
  )
})

test('an error that waiting does not fix is thrown immediately', async (t) => {
  // A server that speaks another protocol.
  const server = createServer((socket) => socket.end('E\0\0\0\x21SFATAL\0C28P01\0Mwrong password\0\0'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  const { port } = server.address() as { port: number }
  const said: string[] = []
  await assert.rejects(
    waitForDatabase({ host: '127.0.0.1', port, user: 'x' }, { log: (line) => said.push(line), timeoutMs: 60_000 }),
  )
  assert.deepEqual(said, [])
})
