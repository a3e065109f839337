import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { databaseUrl, dataFolder, postmasterPid, startProcess, temporaryFolder, until } from '../testing/process.ts'
import { cloneDatabase, serverVariable } from '../testing/server.ts'

test('while the database hangs requests wait or fail, and the service recovers by itself', async () => {
  const dataDir = await dataFolder()
  const key = `svc_sk_test_${'h'.repeat(40)}`
  const running = await startProcess(dataDir, { BOOTSTRAP_API_KEY: key, DEMO_DATA: 'false' })
  const url = `${running.url}/api/v1/crm/dashboard`
  assert.equal((await fetch(url, { headers: { authorization: `Bearer ${key}` } })).status, 200)
  const postmaster = (await postmasterPid(dataDir)) as number
  // Stopped first: it reaps no child, so every process in the list can be signalled.
  process.kill(postmaster, 'SIGSTOP')
  const stopped = [postmaster]
  let [waiting, healthy]: [Promise<Response>[], Response | undefined] = [[], undefined]
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=', '--ppid', String(postmaster)])
    for (const pid of stdout.trim().split(/\s+/).map(Number)) {
      process.kill(pid, 'SIGSTOP')
      stopped.unshift(pid)
    }
    waiting = Array.from({ length: 30 }, () => fetch(url, { headers: { authorization: `Bearer ${key}` } }))
    healthy = await fetch(`${running.url}/healthz`)
  } finally {
    for (const pid of stopped) process.kill(pid, 'SIGCONT')
  }
  assert.equal(healthy.status, 200, 'the process itself still answers')
  for (const answer of await Promise.all(waiting)) assert.ok([200, 500, 503].includes(answer.status))
  await until(async () => (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).status === 200)
})

test('a node that starts before its PostgreSQL waits for it', async () => {
  const { connection, drop } = await cloneDatabase(JSON.parse(process.env[serverVariable] as string))
  const address = new URL(databaseUrl(connection))
  const host = address.searchParams.get('host')
  // Answers "starting up" to the first two connections and proxies the others.
  let refused = 0
  const proxy = createServer((socket) => {
    socket.on('error', () => {})
    if (refused < 2) {
      refused++
      socket.once('data', () => socket.end(fatalError('57P03', 'the database system is starting up')))
      return
    }
    const path = `${host}/.s.PGSQL.${address.port || 5432}`
    const server = host ? connect(path) : connect(Number(address.port), address.hostname)
    server.on('error', () => socket.destroy())
    socket.pipe(server).pipe(socket)
  })
  after(() => drop())
  after(() => proxy.close())
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const { port } = proxy.address() as { port: number }
  const through = new URL(address)
  through.searchParams.delete('host')
  through.host = `127.0.0.1:${port}`
  const running = await startProcess(await temporaryFolder(), {
    DATABASE_URL: through.href,
    SECRET_KEY: 's'.repeat(32),
    DEMO_DATA: 'false',
  })
  assert.equal(refused, 2)
  const waiting = /is not ready \(the database system is starting up\), waiting up to 60 seconds/
  await until(async () => waiting.test(running.output()))
  assert.equal(await running.stop(), 0)
})

/** PostgreSQL's ErrorResponse. */
function fatalError(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`)
  const head = Buffer.from('E\0\0\0\0')
  head.writeUInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}
