import assert from 'node:assert/strict'
import { globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startTestApp } from '../app.ts'
import { startLoad } from '../load.ts'
import { person } from '../people.ts'
import { databaseUrl, environmentOf, startProcess, temporaryFolder, until } from '../process.ts'
import { startTestSimulator } from '../simulator.ts'

/** One of two nodes has a clock that jumps, by Debian's libfaketime. */

const recipients = 3_000

test('a node whose clock jumps by an hour takes no lease from another node, sends nothing twice and ends no session', async (t) => {
  const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')
  if (!library) return t.skip('libfaketime is not installed')
  const simulator = await startTestSimulator()
  const app = await startTestApp({ settings: { ROLE: 'api', SIMULATOR_URL: simulator.url } })
  const { id, key } = await app.organization()
  const member = await person(app, id, 'owner')
  const folder = await temporaryFolder()
  const clock = join(folder, 'clock')
  const start = (env: Record<string, string>) =>
    startProcess(folder, {
      ...environmentOf(app),
      SIMULATOR_URL: simulator.url,
      CAMPAIGN_LEASE_SECONDS: '3',
      RATE_LIMIT_PER_MINUTE: '1000000',
      LOG_LEVEL: 'fatal',
      ...env,
    })
  writeFileSync(clock, '+0')
  const right = await start({})
  const wrong = await start({
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: clock,
    FAKETIME_CACHE_DURATION: '1',
    // The monotonic clock does not jump on a real machine either.
    DONT_FAKE_MONOTONIC: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  })
  const jump = async (seconds: number) => {
    writeFileSync(clock, seconds < 0 ? `${seconds}` : `+${seconds}`)
    await until(async () => {
      const { headers } = await fetch(`${wrong.url}/healthz`)
      return Math.abs(Date.parse(headers.get('date') as string) - Date.now() - seconds * 1000) < 60_000
    })
  }
  const post = async (url: string, path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${url}/api/v1/auth/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    assert.equal(answer.status, 200, `${path}: ${await answer.clone().text()}`)
    return (await answer.json()) as { access_token: string; refresh_token: string }
  }
  const statuses = (token: string) =>
    Promise.all(
      [right, wrong].map(async ({ url }) => {
        const answer = await fetch(`${url}/api/v1/contacts`, { headers: { authorization: `Bearer ${token}` } })
        return answer.status
      }),
    )

  const load = await startLoad({ url: right.url, key, databaseUrl: databaseUrl(app.connection), simulator }, recipients)
  let session = await post(right.url, 'refresh', { refresh_token: member.refreshToken })
  for (const seconds of [3_600, -3_600, 0]) {
    await jump(seconds)
    await load.writers.more(200)
    assert.deepEqual(await statuses(session.access_token), [200, 200], `a token of before the jump by ${seconds} s`)
    session = await post(wrong.url, 'refresh', { refresh_token: session.refresh_token })
    assert.deepEqual(await statuses(session.access_token), [200, 200], `a token of after the jump by ${seconds} s`)
  }
  const seen = await load.finish()
  t.diagnostic(seen.summary)
  // No worker was lost, so nothing may be unknown.
  assert.deepEqual([seen.lost, seen.sent, seen.unknown, seen.repeated], [0, recipients, 0, 0])
})
