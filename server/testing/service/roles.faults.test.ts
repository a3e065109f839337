import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../app.ts'
import { startBalancer } from '../balancer.ts'
import { startLoad } from '../load.ts'
import { databaseUrl, environmentOf, freePort, startProcess, temporaryFolder, until } from '../process.ts'
import { startTestSimulator } from '../simulator.ts'

/** Two nodes of each role; each of them is killed and started again while requests write and a campaign is sent. */

const recipients = 3_000
const rounds = 2

test('kill -9 of each node of each role: no acknowledged write is lost, no message is sent twice', async (t) => {
  const simulator = await startTestSimulator()
  const app = await startTestApp({ settings: { ROLE: 'api', SIMULATOR_URL: simulator.url } })
  const { key } = await app.organization()
  const folder = await temporaryFolder()
  const start = (env: Record<string, string>) =>
    startProcess(folder, {
      ...environmentOf(app),
      SIMULATOR_URL: simulator.url,
      // Shorter than in production, so that lost workers are noticed quickly.
      CAMPAIGN_LEASE_SECONDS: '3',
      RATE_LIMIT_PER_MINUTE: '1000000',
      LOG_LEVEL: 'fatal',
      ...env,
    })
  const environments = [
    { ROLE: 'api', PORT: String(await freePort()) },
    { ROLE: 'worker' },
    { ROLE: 'api', PORT: String(await freePort()) },
    { ROLE: 'worker' },
  ]
  const nodes = await Promise.all(environments.map(start))
  await using balancer = await startBalancer(nodes.filter((_, i) => environments[i]?.PORT).map(({ url }) => url))
  const load = await startLoad(
    { url: balancer.url, key, databaseUrl: databaseUrl(app.connection), simulator },
    recipients,
  )
  for (let round = 0; round < rounds; round++)
    for (const [i, environment] of environments.entries()) {
      await nodes[i]?.stop('SIGKILL')
      await load.writers.more(50)
      nodes[i] = await start(environment)
      await until(async () => balancer.ready().length === 2)
      await load.writers.more(50)
    }
  const seen = await load.finish()
  t.diagnostic(seen.summary)
  assert.deepEqual([seen.lost, seen.repeated], [0, 0])
  assert.equal(seen.sent + seen.unknown, recipients)
})
