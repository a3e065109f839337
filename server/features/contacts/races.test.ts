import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { sharedTestApp, type TestOrganization } from '../../testing/app.ts'
import { stages } from './schema.ts'
import { activityTypes } from './timeline/schema.ts'

const app = await sharedTestApp()
const node = await app.node()

/** The same caller on two nodes in turn. */
const callersOf = ({ key, call }: TestOrganization) => [call, node.as(key)] as const

const phone = (i: number) => `+1415555${String(i).padStart(4, '0')}`
const times = <T>(n: number, work: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, i) => work(i)))

test('of fifty concurrent requests for one number, one creates the contact and the others return its id', async () => {
  const org = await app.organization()
  const callers = callersOf(org)
  for (let round = 0; round < 3; round++) {
    const answers = await times(50, (i) =>
      (callers[i % 2] as typeof org.call)('POST', 'contacts', { phone_number: phone(round), name: `n${i}` }),
    )
    const created = answers.filter(({ status }) => status === 201)
    const refused = answers.filter(({ status }) => status === 409)
    assert.deepEqual([created.length, refused.length], [1, 49])
    for (const { body } of refused) assert.equal(body.existing_id, created[0]?.body.id)
    assert.equal((await org.call('GET', `contacts/${created[0]?.body.id}/activities`)).body.total, 1)
  }
  assert.equal((await org.call('GET', 'contacts')).body.total_count, 3)
})

test('concurrent on_conflict=update requests end with one contact that has all given values', async () => {
  const org = await app.organization()
  const callers = callersOf(org)
  const answers = await times(20, (i) =>
    (callers[i % 2] as typeof org.call)('POST', 'contacts?on_conflict=update', {
      phone_number: phone(1),
      ...(i % 2 ? { name: 'Ada' } : { notes: 'kept' }),
    }),
  )
  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  assert.equal(answers.filter(({ status }) => status === 200).length, 19)
  const { data, total_count } = (await org.call('GET', 'contacts')).body
  assert.deepEqual([total_count, data[0].name, data[0].notes], [1, 'Ada', 'kept'])
})

test('twenty requests with one Idempotency-Key create one contact', async () => {
  const org = await app.organization()
  const callers = callersOf(org)
  const headers = { 'idempotency-key': 'once' }
  const body = { phone_number: phone(1), name: 'Ada' }
  const answers = await times(20, (i) => (callers[i % 2] as typeof org.call)('POST', 'contacts', body, headers))
  const created = answers.filter(({ status }) => status === 201)
  assert.ok(created.length >= 1)
  assert.equal(created.filter(({ headers }) => !headers['idempotent-replayed']).length, 1)
  assert.equal(new Set(created.map(({ body }) => body.id)).size, 1)
  for (const { status, body } of answers.filter(({ status }) => status !== 201))
    assert.deepEqual([status, body.detail], [409, 'A request with this Idempotency-Key is still running'])
  const replay = await org.call('POST', 'contacts', body, headers)
  assert.deepEqual([replay.status, replay.headers['idempotent-replayed']], [201, 'true'])
  assert.deepEqual(replay.body, created[0]?.body)
  const other = await org.call('POST', 'contacts', { ...body, name: 'Bob' }, headers)
  assert.deepEqual([other.status, other.body.existing_id], [409, undefined])
  assert.equal((await org.call('GET', 'contacts')).body.total_count, 1)
})

test('a refusal is replayed like a response, and a validation error is not stored', async () => {
  const org = await app.organization()
  const { body: existing } = await org.call('POST', 'contacts', { phone_number: phone(1) })
  const headers = { 'idempotency-key': 'refused' }
  const refused = await org.call('POST', 'contacts', { phone_number: phone(1) }, headers)
  assert.deepEqual([refused.status, refused.body.existing_id], [409, existing.id])
  await org.call('DELETE', `contacts/${existing.id}`)
  const again = await org.call('POST', 'contacts', { phone_number: phone(1) }, headers)
  assert.deepEqual([again.status, again.body, again.headers['idempotent-replayed']], [409, refused.body, 'true'])
  const invalid = { 'idempotency-key': 'invalid' }
  assert.equal((await org.call('POST', 'contacts', { phone_number: 'x' }, invalid)).status, 422)
  assert.equal((await org.call('POST', 'contacts', { phone_number: phone(2) }, invalid)).status, 201)
  for (const key of ['', 'x'.repeat(256)])
    assert.equal(
      (await org.call('POST', 'contacts', { phone_number: phone(3) }, { 'idempotency-key': key })).status,
      400,
    )
})

test('concurrent changes to one number: one contact gets it, the others get its id', async () => {
  const org = await app.organization()
  const callers = callersOf(org)
  const made = await times(20, async (i) => (await org.call('POST', 'contacts', { phone_number: phone(i) })).body)
  const answers = await times(20, (i) =>
    (callers[i % 2] as typeof org.call)(i % 3 ? 'PUT' : 'PATCH', `contacts/${made[i].id}`, { phone_number: phone(99) }),
  )
  const [winner, ...more] = answers.filter(({ status }) => status === 200)
  assert.equal(more.length, 0)
  for (const { status, body } of answers.filter((answer) => answer !== winner))
    assert.deepEqual([status, body.existing_id], [409, winner?.body.id])
  assert.equal((await org.call('GET', `contacts?search=${encodeURIComponent(phone(99))}`)).body.total_count, 1)
})

test('two contacts that swap numbers concurrently never share one and never deadlock', async () => {
  const org = await app.organization()
  const [a, b] = await times(2, async (i) => (await org.call('POST', 'contacts', { phone_number: phone(i) })).body)
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all([
      org.call('PUT', `contacts/${a.id}`, { phone_number: phone(1) }),
      org.call('PUT', `contacts/${b.id}`, { phone_number: phone(0) }),
    ])
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [409])
  }
})

test('concurrent changes of one contact are all kept, and its timeline counts each', async () => {
  const org = await app.organization()
  const callers = callersOf(org)
  const { body } = await org.call('POST', 'contacts', { phone_number: phone(1) })
  await times(40, (i) => {
    const call = callers[i % 2] as typeof org.call
    if (i % 4 === 0) return call('POST', `contacts/${body.id}/activities`, { note: `n${i}` })
    if (i % 4 === 1) return call('PATCH', `contacts/${body.id}`, { stage: stages[i % 5] })
    if (i % 4 === 2) return call('POST', `contacts/${body.id}/handoff`, { to: i % 8 === 2 ? 'ai' : 'human' })
    return call('PUT', `contacts/${body.id}`, { name: `n${i}`, tags: [`t${i}`] })
  })
  const { activities, total } = (await org.call('GET', `contacts/${body.id}/activities?limit=100`)).body
  assert.equal(activities.length, total)
  assert.equal(activities.filter(({ type }: { type: string }) => type === 'note_added').length, 10)
  for (const type of activityTypes) {
    const found = activities.filter((each: { type: string }) => each.type === type).length
    const counted = (await org.call('GET', `contacts/${body.id}/activities?type=${type}`)).body.total
    assert.equal(counted, found, type)
  }
})

test('after many concurrent creates, changes and deletes every counter equals its rows', async () => {
  const org = await app.organization()
  const callers = callersOf(org)
  const storm = async (worker: number) => {
    const mine: string[] = []
    for (let step = 0; step < 40; step++) {
      const call = callers[(worker + step) % 2] as typeof org.call
      const pick = Math.floor(Math.random() * 8)
      const id = mine[Math.floor(Math.random() * mine.length)]
      const input = {
        tags: ['a', 'b', 'c', 'd'].filter(() => Math.random() < 0.4),
        stage: stages[Math.floor(Math.random() * 5)],
        ai_handling: Math.random() < 0.5,
      }
      if (pick < 3 || !id) {
        const number = phone(Math.floor(Math.random() * 400))
        const answer = await call('POST', 'contacts?on_conflict=update', { phone_number: number, ...input })
        assert.ok([200, 201].includes(answer.status), answer.text)
        mine.push(answer.body.id)
      } else if (pick < 5) await call('PATCH', `contacts/${id}`, input)
      else if (pick === 5) await call('POST', `contacts/${id}/handoff`, { to: input.ai_handling ? 'ai' : 'human' })
      else if (pick === 6) await call('POST', `contacts/${id}/activities`, { note: 'x' })
      else await call('DELETE', `contacts/${id}`)
    }
  }
  await times(12, storm)
  const sql = app.database.forTenant({ organizationId: org.id, livemode: false })
  const Difference = Type.Object({ what: Type.String(), counted: Type.Integer(), there: Type.Integer() })
  const differences = await sql.all(Difference)`
    select * from (
      select concat_ws(' ', stage, ai_handling, opted_out) as what, sum(counted)::int as counted, sum(there)::int as there
      from (
        select stage, ai_handling, opted_out, n as counted, 0 as there from contact_counts
        union all select stage, ai_handling, opted_out_at is not null, 0, 1 from contacts
      ) c group by stage, ai_handling, opted_out
      union all
      select 'tag ' || tag, sum(counted)::int, sum(there)::int from (
        select tag, n as counted, 0 as there from contact_tag_counts
        union all select tag, 0, 1 from contacts, unnest(tags) tag
      ) t group by tag
      union all
      select 'tag row ' || tag, sum(counted)::int, sum(there)::int from (
        select tag, 1 as counted, 0 as there from contact_tags
        union all select tag, 0, 1 from contacts, unnest(tags) tag
      ) t group by tag
      union all
      select 'event ' || type, sum(counted)::int, sum(there)::int from (
        select type, n as counted, 0 as there from event_counts union all select type, 0, 1 from events
      ) e group by type
      union all
      select 'activities of ' || id, (select sum(value::int) from jsonb_each_text(activity_counts))::int,
        (select count(*) from activities a where a.contact_id = contacts.id)::int
      from contacts
    ) d where counted <> there`
  assert.deepEqual(differences, [])
  const { total_count } = (await org.call('GET', 'contacts')).body
  const { n } = await sql.one(Type.Object({ n: Type.Integer() }))`select count(*) as n from contacts`
  assert.equal(total_count, n)
  assert.ok(n > 0)
})
