import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { dataFolder, freePort, startProcess, until } from '../process.ts'

test('a worker with a port answers probes and scrapes under any host name, and nothing else', async () => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const token = 'a token for metrics'
  const env = {
    ROLE: 'worker',
    WORKER_PORT: String(port),
    METRICS_TOKEN: token,
    PUBLIC_URL: 'https://desk.example.com',
  }
  const worker = await startProcess(await dataFolder(), env)
  const status = (path: string, init?: RequestInit) =>
    fetch(url + path, init).then(
      (answer) => answer.status,
      () => undefined,
    )
  await until(async () => (await status('/readyz')) === 200)
  assert.equal(await status('/healthz'), 200)
  assert.equal(await status('/metrics'), 401)
  const headers = { authorization: `Bearer ${token}` }
  const scraped = await fetch(`${url}/metrics`, { headers })
  assert.match(String(scraped.headers.get('content-type')), /^text\/plain/)
  assert.match(await scraped.text(), /^frontdesk_queue_waiting\{/m)
  for (const path of ['/', '/api/v1/contacts', '/docs', '/metrics/']) assert.equal(await status(path), 404, path)
  assert.equal(await status('/healthz', { method: 'POST' }), 404)

  const socket = connect(port, '127.0.0.1')
  socket.write(
    `GET /metrics HTTP/1.1\r\nHost: worker-1:3000\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
  )
  assert.match(await text(socket), /^HTTP\/1\.1 200 /)

  assert.equal(await worker.stop(), 0)
  assert.equal(await status('/healthz'), undefined)
})
