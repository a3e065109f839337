import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestOrganization } from '../../testing/app.ts'
import { connectOwner } from '../../testing/connect-owner.ts'
import { until } from '../../testing/process.ts'

const app = await startTestApp({ settings: { DATABASE_POOL_SIZE: 4, ORGANIZATION_CONNECTIONS: 1, ROLE: 'api' } })
const owner = await connectOwner(app)

/** Requests of this organization that wait for a lock which the test holds until `release`. */
async function flood({ call }: TestOrganization, requests: number) {
  const { body } = await call('POST', '/api/v1/contacts', { phone_number: '+14155550100' })
  await owner.query('begin')
  await owner.query('select from contacts where id = $1 for update', [body.id])
  const answers = Array.from({ length: requests }, () => call('PATCH', `/api/v1/contacts/${body.id}`, { name: 'Ann' }))
  return {
    async release() {
      await owner.query('rollback')
      return (await Promise.all(answers)).map(({ status }) => status)
    },
  }
}

async function countBlocked(): Promise<number> {
  const { rowCount } = await owner.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  )
  return rowCount ?? 0
}

/** A request that waited too long for a connection is refused and may be repeated. */
const isAnswered = (status: number) => status === 200 || status === 503

test('a flood of one organization leaves a connection to others', async () => {
  const noisy = await app.organization()
  const quiet = await app.organization()
  const flooded = await flood(noisy, 20)
  await until(async () => (await countBlocked()) > 0 && app.database.waitingTenants > 0)
  for (let n = 0; n < 3; n++) {
    assert.equal((await quiet.call('GET', '/api/v1/contacts')).status, 200)
    assert.equal((await quiet.call('POST', '/api/v1/contacts', { phone_number: `+1415555020${n}` })).status, 201)
  }
  assert.ok((await countBlocked()) <= 3, 'of four connections')
  const statuses = await flooded.release()
  assert.ok(statuses.every(isAnswered), String(statuses))
})

test('an organization whose connection is blocked gets another one', async () => {
  const noisy = await app.organization()
  const quiet = await app.organization()
  assert.equal((await quiet.call('GET', '/api/v1/contacts')).status, 200)
  const flooded = await flood(noisy, 1)
  await until(async () => (await countBlocked()) === 1)
  const answer = noisy.call('GET', '/api/v1/contacts')
  // Others stay active, so the organization has no more than its share.
  let isDone = false
  void answer.finally(() => {
    isDone = true
  })
  while (!isDone) assert.equal((await quiet.call('GET', '/api/v1/contacts')).status, 200)
  assert.equal((await answer).status, 200)
  assert.deepEqual(await flooded.release(), [200])
})
