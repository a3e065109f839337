import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { serveWorkerHealth } from './worker-health.ts'

test('a worker that has closed its server and finishes its jobs is alive and draining', async (t) => {
  const server = Fastify()
  server.get('/readyz', () => ({ status: 'ok' }))
  const { url, close } = await serveWorkerHealth(server, { host: '127.0.0.1', port: 0 })
  t.after(close)
  const ask = async (path: string) => {
    const answer = await fetch(url + path)
    return [answer.status, await answer.json()]
  }
  assert.deepEqual(await ask('/readyz'), [200, { status: 'ok' }])
  await server.close()
  const draining = { status: 'draining', checks: {} }
  assert.deepEqual(await ask('/readyz'), [503, draining])
  assert.deepEqual(await ask('/healthz'), [200, draining])
})
