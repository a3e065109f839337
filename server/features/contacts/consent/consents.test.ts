import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../platform/ids.ts'
import { ok, sharedTestApp } from '../../../testing/app.ts'
import { connectChannel, deliver, messagesTo, secondsAgo, textFrom } from '../../../testing/hooks.ts'

const app = await sharedTestApp()
const acme = await app.organization()
const { call } = acme
let people = 0
const newContact = async () => ok(await call('POST', 'contacts', { phone_number: `+1555071${1000 + ++people}` }), 201)
const logOf = async (id: string) => ok(await call('GET', `contacts/${id}/consents`))

test('a consent is recorded with channel, purpose, time, source and text, newest first', async () => {
  const { id } = await newContact()
  const given = { channel: 'voice', purpose: 'recording', state: 'granted', source: 'web_form', text: 'I agree.' }
  const first = ok(await call('POST', `contacts/${id}/consents`, { ...given, at: '2026-01-02T03:04:05Z' }), 201)
  assert.deepEqual(
    { ...first, id: 0, created_at: 0 },
    {
      ...given,
      id: 0,
      created_at: 0,
      contact_id: id,
      organization_id: acme.id,
      at: '2026-01-02T03:04:05.000Z',
      livemode: false,
    },
  )
  const second = ok(
    await call('POST', `contacts/${id}/consents`, { channel: 'chat', purpose: 'service', state: 'withdrawn' }),
    201,
  )
  assert.deepEqual([second.source, second.text], ['user', ''])
  const { data, total_count } = await logOf(id)
  assert.deepEqual([data, total_count], [[second, first], 2])
  assert.equal(ok(await call('GET', `contacts/${id}`)).opted_out_at, null)
  const page = ok(await call('GET', `contacts/${id}/consents?limit=1&starting_after=${second.id}`))
  assert.deepEqual(page.data, [first])
})

test('marketing on all channels is the opt-out, and the opt-out is in the log', async () => {
  const { id } = await newContact()
  const marketing = { channel: 'all', purpose: 'marketing' }
  ok(await call('POST', `contacts/${id}/consents`, { ...marketing, state: 'withdrawn', text: 'On the phone' }), 201)
  assert.notEqual(ok(await call('GET', `contacts/${id}`)).opted_out_at, null)
  assert.equal((await logOf(id)).total_count, 1)
  ok(await call('PATCH', `contacts/${id}`, { opted_out: false }))
  ok(await call('PATCH', `contacts/${id}`, { opted_out: true }))
  const { data } = await logOf(id)
  assert.deepEqual(
    data.map(({ state, source, text }: Record<string, string>) => [state, source, text]),
    [
      ['withdrawn', 'user', 'Entered by hand'],
      ['granted', 'user', 'Entered by hand'],
      ['withdrawn', 'user', 'On the phone'],
    ],
  )
})

test('STOP and START by message are in the log with their words', async () => {
  const channel = await connectChannel(acme)
  const contact = await newContact()
  const number = contact.phone_number.slice(1)
  const says = (text: string, seconds: number) =>
    deliver(app, channel, messagesTo(channel, [textFrom(number, text, { timestamp: secondsAgo(seconds) })]))
  await says('Stop!', 20)
  await says('START', 10)
  await says('START', 5)
  const { data } = await logOf(contact.id)
  assert.deepEqual(
    data.map(({ state, source, text, channel: where }: Record<string, string>) => [state, source, text, where]),
    [
      ['granted', 'message', 'START', 'all'],
      ['withdrawn', 'message', 'Stop!', 'all'],
    ],
  )
})

test('bad input, strangers and missing scopes are refused', async () => {
  const { id } = await newContact()
  const good = { channel: 'chat', purpose: 'marketing', state: 'granted' }
  for (const bad of [
    { channel: 'fax' },
    { purpose: 'Everything!' },
    { state: 'maybe' },
    { at: 'yesterday' },
    { source: ' ' },
  ])
    assert.equal((await call('POST', `contacts/${id}/consents`, { ...good, ...bad })).status, 422, JSON.stringify(bad))
  assert.equal((await call('POST', `contacts/${id}/consents`, { ...good, at: '2999-01-01T00:00:00Z' })).status, 400)
  assert.equal((await logOf(id)).total_count, 0)
  const globex = await app.organization()
  for (const [by, contact] of [
    [globex.call, id],
    [call, newId()],
  ] as const) {
    assert.equal((await by('GET', `contacts/${contact}/consents`)).status, 404)
    assert.equal((await by('POST', `contacts/${contact}/consents`, good)).status, 404)
  }
  const reader = app.as((await app.key(acme.id, { scopes: ['contacts:read'] })).secret)
  const stranger = app.as((await app.key(acme.id, { scopes: ['inbox:read'] })).secret)
  assert.equal((await reader('GET', `contacts/${id}/consents`)).status, 200)
  assert.equal((await reader('POST', `contacts/${id}/consents`, good)).status, 403)
  assert.equal((await stranger('GET', `contacts/${id}/consents`)).status, 403)
  assert.equal((await app.call('GET', `contacts/${id}/consents`)).status, 401)
  assert.equal((await app.call('POST', `contacts/${id}/consents`, good)).status, 401)
})
