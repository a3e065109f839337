import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, startTestApp } from '../../../testing/app.ts'
import { connectOwner } from '../../../testing/connect-owner.ts'
import { holdWrites } from '../../../testing/hold-writes.ts'
import { environmentOf, startProcess, temporaryFolder, until } from '../../../testing/process.ts'

test('an erasure whose worker is killed is completed by the next one, with an exact proof', async () => {
  const app = await startTestApp({ settings: { ROLE: 'api' } })
  const owner = await connectOwner(app)
  const { call } = await app.organization()
  const contact = await call('POST', 'contacts', { phone_number: '+12025557001', name: 'Zebulon Quux' })
  for (let n = 0; n < 20; n++)
    await call('POST', `contacts/${contact.body.id}/activities`, {
      type: 'note_added',
      payload: { note: `Zebulon ${n}` },
    })
  const asked = ok(await call('POST', `contacts/${contact.body.id}/erase`), 202)
  // The worker has erased the events, and has deleted the contact in a transaction that is not committed.
  const hold = await holdWrites(app, 'insert on erased_addresses for each row')
  const doomed = await startProcess(await temporaryFolder(), {
    ROLE: 'worker',
    ...environmentOf(app),
  })
  await hold.reached().catch((error) => {
    throw new Error(`the worker got no further:\n${doomed.output()}`, { cause: error })
  })
  await doomed.stop('SIGKILL')
  await hold.release()
  const half = (await call('GET', `privacy/erasures/${asked.id}`)).body
  assert.deepEqual([half.state, half.counts.events, half.counts.contacts], ['running', 21, undefined])
  assert.equal((await call('GET', `contacts/${contact.body.id}`)).status, 200)

  // As if the time had passed after which a silent worker's job is retried.
  await owner.query(`update pgboss.job set heartbeat_on = now() - interval '1 minute' where state = 'active'`)
  const next = await app.node({ ROLE: 'worker' })
  let erasure = asked
  await until(async () => {
    erasure = (await call('GET', `privacy/erasures/${asked.id}`)).body
    return erasure.state === 'completed'
  })
  const { contacts, activities, events } = erasure.counts
  assert.deepEqual({ contacts, activities, events }, { contacts: 1, activities: 21, events: 21 })
  assert.equal((await call('GET', `contacts/${contact.body.id}`)).status, 404)
  await next.close()
})
