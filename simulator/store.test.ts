import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { createSecretBox } from '../server/platform/secrets.ts'
import { startTestApp } from '../server/testing/app.ts'
import { createDatabaseStore } from './database-store.ts'
import { createMemoryStore, type SimulatorRecord } from './store.ts'

const app = await startTestApp()
const secrets = createSecretBox(app.settings.SECRET_KEY as string)
const stores = { memory: createMemoryStore(), database: createDatabaseStore(app.database, secrets) }
const record = (id: string, more: Partial<SimulatorRecord> = {}): SimulatorRecord => ({
  kind: 'thing',
  id,
  account: 'a',
  data: { n: 1 },
  ...more,
})
const ids = (records: SimulatorRecord[]) => records.map(({ id }) => id)

for (const [name, store] of Object.entries(stores)) {
  test(`the ${name} store keeps what it is given, bytes and secrets too`, async () => {
    const whole = record('whole', { bytes: Buffer.from([0, 255]), secret: 'hush', data: { list: [1, 'ü', null] } })
    await store.save(whole)
    const { expiresAt, ...found } = (await store.find('thing', 'whole')) as SimulatorRecord
    assert.deepEqual(found, whole)
    assert.equal(expiresAt, undefined)
    await store.save({ ...whole, data: 'changed' })
    assert.equal((await store.find('thing', 'whole'))?.data, 'changed')
    await store.remove('thing', 'whole')
    assert.equal(await store.find('thing', 'whole'), undefined)
  })

  test(`the ${name} store adds once, unless what was there has expired`, async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, (_, i) => store.add(record('once', { data: i }))))
    assert.equal(answers.filter(Boolean).length, 1)
    await store.save(record('old', { expiresAt: Date.now() - 1000 }))
    assert.equal(await store.find('thing', 'old'), undefined)
    assert.equal(await store.add(record('old', { data: 'new' })), true)
    assert.equal((await store.find('thing', 'old'))?.data, 'new')
    assert.equal(await store.add(record('old')), false)
  })

  test(`the ${name} store lists in order, by account, without what has expired`, async () => {
    for (const id of ['c', 'a', 'b']) await store.save(record(id, { kind: 'listed', account: id === 'c' ? 'x' : 'y' }))
    await store.save(record('gone', { kind: 'listed', account: 'y', expiresAt: Date.now() - 1000 }))
    assert.deepEqual(ids(await store.list('listed')), ['a', 'b', 'c'])
    assert.deepEqual(ids(await store.list('listed', 'y')), ['a', 'b'])
    assert.deepEqual(ids(await store.list('nothing')), [])
    await store.removeExpired()
    assert.deepEqual(ids(await store.list('listed')), ['a', 'b', 'c'])
  })

  test(`the ${name} store hands each record to one taker only`, async () => {
    const all = Array.from({ length: 30 }, (_, i) => String(i).padStart(2, '0'))
    for (const id of all) await store.save(record(id, { kind: 'taken' }))
    assert.equal(await store.any('taken'), true)
    const taken = await Promise.all([store.take('taken', 12), store.take('taken', 12), store.take('taken', 12)])
    const rest = await store.take('taken', 100)
    assert.deepEqual(ids([...taken.flat(), ...rest]).sort(), all)
    assert.equal(await store.any('taken'), false)
  })
}

test('secret fields of a record are encrypted in the database', async () => {
  await stores.database.save(record('hidden', { secret: 'hush hush' }))
  const Row = Type.Object({ whole: Type.String(), sealed: Type.String() })
  const { whole, sealed } = await app.database.forSystem().one(Row)`
    select to_jsonb(r) #>> '{}' as whole, encode(sealed, 'escape') as sealed from simulator_records r where id = 'hidden'`
  assert.doesNotMatch(whole + sealed, /hush/)
})
