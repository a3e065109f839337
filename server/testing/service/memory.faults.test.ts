import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../app.ts'
import { startLoad } from '../load.ts'
import { databaseUrl, environmentOf, freePort, startProcess, temporaryFolder } from '../process.ts'
import { startTestSimulator } from '../simulator.ts'

/** A node leaks memory until it reaches its limit and Node.js ends it; its supervisor starts it again. */

const recipients = 2_000
const rounds = 2

/** After SIGUSR2 the heap grows by some 80 MB per second. */
const leak = `process.on('SIGUSR2', () => {
  const kept = []
  setInterval(() => kept.push(Array.from({ length: 100_000 }, () => ({}))), 100)
})`

test('a node that runs out of memory ends and starts again: no acknowledged write is lost, no message is sent twice', async (t) => {
  const simulator = await startTestSimulator()
  const app = await startTestApp({ settings: { ROLE: 'api', SIMULATOR_URL: simulator.url } })
  const { key } = await app.organization()
  const folder = await temporaryFolder()
  const PORT = String(await freePort())
  const start = () =>
    startProcess(folder, {
      ...environmentOf(app),
      SIMULATOR_URL: simulator.url,
      CAMPAIGN_LEASE_SECONDS: '3',
      RATE_LIMIT_PER_MINUTE: '1000000',
      LOG_LEVEL: 'fatal',
      PORT,
      NODE_OPTIONS: `--max-old-space-size=256 --import=data:text/javascript,${encodeURIComponent(leak)}`,
    })
  let node = await start()
  const load = await startLoad({ url: node.url, key, databaseUrl: databaseUrl(app.connection), simulator }, recipients)
  for (let n = 0; n < rounds; n++) {
    node.child.kill('SIGUSR2')
    await node.exited
    assert.match(node.output(), /heap out of memory/)
    node = await start()
    await load.writers.more(100)
  }
  const seen = await load.finish()
  t.diagnostic(seen.summary)
  assert.deepEqual([seen.lost, seen.repeated], [0, 0])
  assert.equal(seen.sent + seen.unknown, recipients)
})
