import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { sharedTestApp, type TestOrganization } from '../../../testing/app.ts'
import { importFile } from '../../../testing/imports.ts'

const app = await sharedTestApp()

const byPhone = async ({ call }: TestOrganization, phone: string) =>
  (await call('GET', `contacts?search=${encodeURIComponent(phone)}`)).body.data[0]

const eventTypes = async ({ id }: TestOrganization, contactId: string): Promise<string[]> => {
  const rows = await app.database
    .forTenant({ organizationId: id, livemode: false })
    .all(
      Type.Object({ type: Type.String() }),
    )`select type from events where data -> 'object' ->> 'id' = ${contactId} order by id`
  return rows.map(({ type }) => type)
}

async function withAda() {
  const org = await app.organization()
  const { body } = await org.call('POST', 'contacts', {
    phone_number: '+14155550100',
    name: 'Ada',
    tags: ['old'],
    notes: 'kept',
    custom_fields: { plan: 'gold', age: 36 },
  })
  return { org, ada: body }
}

const file = 'phone,name,tags,notes,stage,ai_handling,plan,city\n+14155550100,Ada L.,new,,customer,human,,London\n'

test('an existing contact is left alone by default', async () => {
  const { org, ada } = await withAda()
  const { counts } = await importFile(org.call, file)
  assert.deepEqual(counts, { rows: 1, created: 0, updated: 0, skipped: 1, invalid: 0 })
  assert.deepEqual(await byPhone(org, '+14155550100'), ada)
  assert.deepEqual(await eventTypes(org, ada.id), ['contact.created'])
})

test('with on_conflict=update non-empty cells are written, and the timeline records it', async () => {
  const { org, ada } = await withAda()
  const { counts } = await importFile(org.call, file, { on_conflict: 'update' })
  assert.deepEqual(counts, { rows: 1, created: 0, updated: 1, skipped: 0, invalid: 0 })
  const after = await byPhone(org, '+14155550100')
  assert.deepEqual(
    { ...after, updated_at: '', last_activity_at: '' },
    {
      ...ada,
      name: 'Ada L.',
      tags: ['new'],
      stage: 'customer',
      ai_handling: false,
      custom_fields: { plan: 'gold', age: 36, city: 'London' },
      updated_at: '',
      last_activity_at: '',
    },
  )
  assert.ok(after.updated_at > ada.updated_at)
  const { activities, total } = (await org.call('GET', `contacts/${ada.id}/activities`)).body
  assert.equal(total, 3)
  const shown = activities.map(({ type, actor_type, payload }: Record<string, unknown>) => [type, actor_type, payload])
  assert.deepEqual(shown.slice(0, 2).toSorted(), [
    ['handoff_to_human', 'system', {}],
    ['stage_changed', 'system', { old_stage: 'new', new_stage: 'customer' }],
  ])
  assert.equal(after.last_activity_at, activities[0].created_at)
  assert.deepEqual((await eventTypes(org, ada.id)).toSorted(), [
    'contact.created',
    'contact.handoff',
    'contact.stage_changed',
    'contact.updated',
  ])
  const tagged = await org.call('GET', 'contacts?tag=old')
  assert.equal(tagged.body.total_count, 0)

  const again = await importFile(org.call, file, { on_conflict: 'update' })
  assert.equal(again.counts.updated, 1)
  assert.deepEqual(await byPhone(org, '+14155550100'), after, 'the same values change nothing')
  assert.equal((await eventTypes(org, ada.id)).length, 4)
})

test('an import never opts a contact back in, but opts out a contact that opted out elsewhere', async () => {
  const { org, ada } = await withAda()
  const optedOut = (time: string) => `phone,opted_out_at\n+14155550100,${time}\n`
  await importFile(org.call, optedOut('2026-01-02T03:04:05+01:00'), { on_conflict: 'update' })
  await importFile(org.call, optedOut('2026-05-05T05:05:05Z'), { on_conflict: 'update' })
  await importFile(org.call, optedOut(''), { on_conflict: 'update' })
  assert.equal((await byPhone(org, '+14155550100')).opted_out_at, '2026-01-02T02:04:05.000Z')
  assert.equal((await org.call('GET', 'contacts?opted_out=true')).body.data[0].id, ada.id)
})

/** The repetition is close by in one file, and several batches away in the other. */
const repeated = (apart: number) =>
  [
    'phone,name,tags,plan,city',
    '+14155550100,First,a,gold,',
    ...Array.from({ length: apart }, (_, i) => `+1202555${String(i).padStart(4, '0')},Other,,,`),
    '+1 415 555 0100,Second,,silver,London',
    '',
  ].join('\n')

for (const apart of [0, 2100]) {
  test(`of two rows with one number the first counts, ${apart} rows apart`, async () => {
    const org = await app.organization()
    const { counts } = await importFile(org.call, repeated(apart))
    assert.deepEqual(counts, { rows: apart + 2, created: apart + 1, updated: 0, skipped: 1, invalid: 0 })
    const { name, tags, custom_fields } = await byPhone(org, '+14155550100')
    assert.deepEqual({ name, tags, custom_fields }, { name: 'First', tags: ['a'], custom_fields: { plan: 'gold' } })
  })

  test(`with on_conflict=update the second is written over the first, ${apart} rows apart`, async () => {
    const org = await app.organization()
    const { counts } = await importFile(org.call, repeated(apart), { on_conflict: 'update' })
    assert.deepEqual(counts, { rows: apart + 2, created: apart + 1, updated: 1, skipped: 0, invalid: 0 })
    const { name, tags, custom_fields } = await byPhone(org, '+14155550100')
    assert.deepEqual({ name, tags }, { name: 'Second', tags: ['a'] })
    assert.deepEqual(custom_fields, { plan: 'silver', city: 'London' })
  })

  test(`a dry run counts the same and writes nothing, ${apart} rows apart`, async () => {
    for (const on_conflict of ['skip', 'update']) {
      const { org, ada } = await withAda()
      const text = `${repeated(apart)}nonsense\n+14155550199,New,,,\n`
      const dry = await importFile(org.call, text, { on_conflict, dry_run: 'true' })
      assert.equal(dry.state, 'completed')
      assert.equal(dry.dry_run, true)
      assert.deepEqual((await byPhone(org, '+14155550100')).updated_at, ada.updated_at)
      assert.equal((await org.call('GET', 'contacts')).body.total_count, 1)
      const wet = await importFile(org.call, text, { on_conflict })
      assert.deepEqual(dry.counts, wet.counts)
      assert.deepEqual(dry.errors, wet.errors)
      assert.equal(wet.counts.created, apart + 1)
    }
  })
}

test('an import reaches its own organization and mode only', async () => {
  const { org, ada } = await withAda()
  const other = await app.organization()
  const live = app.as((await app.key(org.id, { mode: 'live' })).secret)
  for (const call of [other.call, live]) {
    const report = await importFile(call, file, { on_conflict: 'update' })
    assert.equal(report.counts.created, 1)
    assert.equal((await call('GET', 'contacts')).body.data[0].livemode, call === live)
  }
  assert.deepEqual(await byPhone(org, '+14155550100'), ada)
})

test('parallel imports of the same numbers in different orders create each number once', async () => {
  const org = await app.organization()
  const numbers = Array.from({ length: 3000 }, (_, i) => `+1202555${String(i).padStart(4, '0')}`)
  const files = [numbers, numbers.toReversed(), numbers.toSorted(() => 0.5 - Math.random())].map(
    (list) => `phone,name\n${list.map((number) => `${number},x`).join('\n')}\n`,
  )
  const reports = await Promise.all(files.map((each) => importFile(org.call, each, { on_conflict: 'update' })))
  assert.deepEqual(
    reports.map(({ state }) => state),
    ['completed', 'completed', 'completed'],
  )
  const created = reports.reduce((sum, { counts }) => sum + counts.created, 0)
  const updated = reports.reduce((sum, { counts }) => sum + counts.updated, 0)
  assert.deepEqual([created, updated], [3000, 6000])
  assert.equal((await org.call('GET', 'contacts')).body.total_count, 3000)
})

test('rows with two numbers of one contact update that contact, in the order of the numbers', async () => {
  const { org, ada } = await withAda()
  const { body: other } = await org.call('POST', 'contacts', { phone_number: '+14155550101' })
  assert.equal((await org.call('POST', `contacts/${ada.id}/merge`, { contact_id: other.id })).status, 200)
  const two = 'phone,name,city\n+14155550101,From the second,Rome\n+14155550100,From the first,\n'
  const dry = await importFile(org.call, two, { dry_run: 'true', on_conflict: 'update' })
  assert.deepEqual([dry.counts.created, dry.counts.updated], [0, 2])
  const { counts } = await importFile(org.call, two, { on_conflict: 'update' })
  assert.deepEqual(counts, { rows: 2, created: 0, updated: 2, skipped: 0, invalid: 0 })
  const after = await byPhone(org, '+14155550101')
  assert.deepEqual(
    [after.id, after.name, after.custom_fields.city, after.phone_number],
    [ada.id, 'From the second', 'Rome', '+14155550100'],
  )
  assert.equal((await org.call('GET', 'contacts')).body.total_count, 1)
})
