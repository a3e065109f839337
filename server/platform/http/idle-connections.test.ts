import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { startTestApp } from '../../testing/app.ts'

test('a connection that has sent nothing does not keep a node from closing', async () => {
  const app = await startTestApp()
  const { hostname, port } = new URL(await app.listen())
  const silent = connect(Number(port), hostname)
  await once(silent, 'connect')
  const keptAlive = connect(Number(port), hostname)
  keptAlive.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await once(keptAlive, 'data')
  const closed = Promise.all([once(silent, 'close'), once(keptAlive, 'close')])
  silent.resume()
  keptAlive.resume()
  await app.close()
  await closed
  assert.equal(silent.bytesRead, 0)
})
