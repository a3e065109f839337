import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { newId } from '../../../platform/ids.ts'
import { ok, sharedTestApp } from '../../../testing/app.ts'
import { type Activity, activityTypes } from './schema.ts'

const app = await sharedTestApp()
const acme = await app.organization({ owner: 'olive@acme.test' })
let lastNumber = 0

async function newContact() {
  const number = `+1415555${String(++lastNumber).padStart(4, '0')}`
  const { body } = await acme.call('POST', 'contacts', { phone_number: number, notes: 'mine' })
  return body
}

const add = async (contactId: string, body: object) => {
  const answer = ok(await acme.call('POST', `contacts/${contactId}/activities`, body), 201)
  return answer as Activity
}

const timeline = async (contactId: string, query = '') => {
  return ok(await acme.call('GET', `contacts/${contactId}/activities${query}`))
}

test('a note is the default activity; its text is in the payload beside other members', async () => {
  const contact = await newContact()
  const note = await add(contact.id, { note: 'Asked for an offer', payload: { source: 'fair', note: 'overruled' } })
  const { id, created_at, ...rest } = note
  assert.deepEqual(rest, {
    organization_id: acme.id,
    contact_id: contact.id,
    type: 'note_added',
    actor_type: 'user',
    actor_id: acme.ownerId,
    payload: { source: 'fair', note: 'Asked for an offer' },
    livemode: false,
  })
  assert.ok(id && created_at)
  const { identities: _, handled_by: __, ...after } = (await acme.call('GET', `contacts/${contact.id}`)).body
  assert.equal(after.last_activity_at, created_at)
  assert.deepEqual(
    { ...after, last_activity_at: '' },
    { ...contact, last_activity_at: '' },
    'a note changes nothing else of the contact',
  )
  assert.deepEqual((await timeline(contact.id)).activities[0], note)
  const Event = Type.Object({ data: Type.Unsafe<{ object: Activity }>({}) })
  const events = await app.database.forTenant({ organizationId: acme.id, livemode: false }).all(Event)`
    select data from events where type = 'activity.created' and data -> 'object' ->> 'id' = ${id}`
  assert.deepEqual(events, [{ data: { object: note } }])
})

test('an activity needs no members, and null means absent', async () => {
  const { id } = await newContact()
  for (const body of [{}, { type: null, note: null, payload: null }]) {
    const { type, payload } = await add(id, body)
    assert.deepEqual([type, payload], ['note_added', {}])
  }
  assert.deepEqual((await add(id, { note: '' })).payload, { note: '' })
  assert.deepEqual((await add(id, { payload: { a: [1] }, unknown: 1 })).payload, { a: [1] })
})

test('any type can be added, without other effects', async () => {
  const contact = await newContact()
  for (const type of activityTypes) await add(contact.id, { type, payload: { new_stage: 'lost', ai_handling: false } })
  const { activities, total, limit, offset, has_more } = await timeline(contact.id)
  assert.deepEqual(
    activities.map(({ type }: Activity) => type),
    [...activityTypes.toReversed(), 'contact_created'],
  )
  assert.deepEqual([total, limit, offset, has_more], [13, 50, 0, false])
  const { stage, ai_handling } = (await acme.call('GET', `contacts/${contact.id}`)).body
  assert.deepEqual([stage, ai_handling], ['new', true])
})

test('the timeline is newest first and pages by limit and offset, with its total', async () => {
  const { id } = await newContact()
  const made: Activity[] = []
  for (let i = 0; i < 54; i++) made.unshift(await add(id, { note: `n${i}` }))
  const first = await timeline(id)
  assert.deepEqual(first.activities, made.slice(0, 50))
  assert.deepEqual([first.total, first.limit, first.offset, first.has_more], [55, 50, 0, true])
  const second = await timeline(id, '?offset=50')
  assert.equal(second.activities.length, 5)
  assert.deepEqual([second.total, second.offset, second.has_more], [55, 50, false])
  assert.equal(second.activities.at(-1).type, 'contact_created')
  const edge = await timeline(id, '?limit=5&offset=50')
  assert.deepEqual([edge.activities.length, edge.has_more], [5, false])
  const inner = await timeline(id, '?limit=5&offset=49')
  assert.deepEqual([inner.activities.length, inner.has_more], [5, true])
  const beyond = await timeline(id, '?offset=55')
  assert.deepEqual([beyond.activities, beyond.total, beyond.has_more], [[], 55, false])
  const far = await timeline(id, '?offset=2000000000')
  assert.deepEqual([far.activities, far.total, far.has_more], [[], 55, false])
  assert.equal((await timeline(id, '?limit=100')).activities.length, 55)
  assert.equal((await timeline(id, '?limit=1')).activities.length, 1)
})

test('types may be repeated, comma-separated, or given under the older name', async () => {
  const { id } = await newContact()
  for (const type of ['note_added', 'call_logged', 'note_added', 'meeting_scheduled']) await add(id, { type })
  const expected: Record<string, number> = {
    'type=note_added': 2,
    'type=note_added&type=call_logged': 3,
    'type=note_added,call_logged': 3,
    'type=note_added%2C%20call_logged&type=meeting_scheduled': 4,
    'type=note_added,note_added': 2,
    'activity_types=note_added': 2,
    'activity_types=note_added,contact_created': 3,
    'activity_types=note_added&activity_types=call_logged': 3,
    'type=task_created': 0,
    'type=': 5,
    'type=,': 5,
  }
  for (const [query, total] of Object.entries(expected)) {
    const page = await timeline(id, `?${query}`)
    assert.deepEqual([page.total, page.activities.length, page.has_more], [total, total, false], query)
    const one = await timeline(id, `?${query}&limit=1`)
    assert.deepEqual([one.total, one.has_more], [total, total > 1], query)
  }
  for (const query of ['type=unknown', 'type=note_added,unknown', 'activity_types=unknown', 'type=NOTE_ADDED']) {
    const answer = await acme.call('GET', `contacts/${id}/activities?${query}`)
    assert.equal(answer.status, 422, query)
    assert.deepEqual(answer.body.detail[0].loc, ['query', query.split('=')[0]])
  }
})

test('invalid bounds are refused with their location', async () => {
  const { id } = await newContact()
  const cases: Record<string, string> = {
    'limit=0': 'limit',
    'limit=101': 'limit',
    'limit=abc': 'limit',
    'offset=-1': 'offset',
    'offset=abc': 'offset',
    'offset=1.5': 'offset',
    'offset=99999999999': 'offset',
    [`type=${'x'.repeat(500)}`]: 'type',
  }
  for (const [query, name] of Object.entries(cases)) {
    const answer = await acme.call('GET', `contacts/${id}/activities?${query}`)
    assert.equal(answer.status, 422, query)
    assert.deepEqual(answer.body.detail[0].loc.slice(0, 2), ['query', name])
  }
})

test('an unknown contact has no timeline', async () => {
  for (const id of [newId(), 'nonsense']) {
    for (const answer of [
      await acme.call('GET', `contacts/${id}/activities`),
      await acme.call('POST', `contacts/${id}/activities`, { note: 'x' }),
    ])
      assert.deepEqual([answer.status, answer.body], [404, { detail: 'Contact not found' }])
  }
})

test('a key without a creator acts as a user without id', async () => {
  const { id } = await newContact()
  const call = app.as((await app.key(acme.id)).secret)
  const { body } = await call('POST', `contacts/${id}/activities`, { note: 'x' })
  assert.deepEqual([body.actor_type, body.actor_id], ['user', null])
})

test('the same Idempotency-Key adds one activity', async () => {
  const { id } = await newContact()
  const headers = { 'idempotency-key': 'note once' }
  const first = await acme.call('POST', `contacts/${id}/activities`, { note: 'x' }, headers)
  const second = await acme.call('POST', `contacts/${id}/activities`, { note: 'x' }, headers)
  assert.deepEqual(second.body, first.body)
  assert.equal((await timeline(id)).total, 2)
})
