import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { startInstalledPostgres } from '../installed-postgres.ts'
import { startLoad } from '../load.ts'
import { startProcess, temporaryFolder } from '../process.ts'
import { startTestSimulator } from '../simulator.ts'

/** PostgreSQL is restarted three times while requests write and a campaign is sent. */

const key = `svc_sk_test_${'r'.repeat(40)}`
const recipients = 1_500
const restarts = 3

for (const mode of ['fast', 'immediate'] as const)
  test(`PostgreSQL restarts (${mode}): no acknowledged write is lost, no message is sent twice`, async (t) => {
    const postgres = await startInstalledPostgres({ max_connections: '200' })
    if (!postgres) return t.skip('no PostgreSQL of the distribution is installed')
    t.after(() => postgres.stop())
    const simulator = await startTestSimulator()
    const { url } = await startProcess(await temporaryFolder(), {
      DATABASE_URL: postgres.url,
      SECRET_KEY: randomBytes(32).toString('base64'),
      SIMULATOR_URL: simulator.url,
      BOOTSTRAP_API_KEY: key,
      DEMO_DATA: 'false',
      RATE_LIMIT_PER_MINUTE: '1000000',
      LOG_LEVEL: 'fatal',
    })
    const load = await startLoad({ url, key, databaseUrl: postgres.url, simulator }, recipients)
    for (let n = 0; n < restarts; n++) {
      await postgres.restart(mode)
      await load.writers.more(100)
    }
    const seen = await load.finish()
    t.diagnostic(seen.summary)
    assert.deepEqual([seen.lost, seen.repeated], [0, 0])
    assert.equal(seen.sent + seen.unknown, recipients)
  })
