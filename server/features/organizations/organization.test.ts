import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, sharedTestApp } from '../../testing/app.ts'
import { person } from '../../testing/people.ts'

const app = await sharedTestApp()
const acme = await app.organization({ name: 'Acme' })
const globex = await app.organization({ name: 'Globex' })
const headerRequired = { detail: 'A valid organization_id header is required' }

test('GET /me tells a key its organization, mode and scopes', async () => {
  const scopes = ['contacts:read', 'calls:read'] as const
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
  const key = await app.key(acme.id, { mode: 'live', scopes: [...scopes], expiresAt })
  const me = ok(await app.as(key.secret)('GET', 'me'))
  assert.deepEqual(me, {
    organization: { id: acme.id, name: 'Acme' },
    mode: 'live',
    livemode: true,
    scopes,
    credential: 'key',
    key: { id: key.id, name: 'test', expires_at: expiresAt },
    user: null,
    is_operator: false,
    organizations: [{ id: acme.id, name: 'Acme', role: null }],
  })
})

test('GET /me tells a person their organizations and scopes', async () => {
  const ada = await person(app, acme.id, 'member', { email: 'ada@example.com', name: 'Ada' })
  const { body } = await ada.call('GET', 'me')
  assert.deepEqual(body.user, {
    id: ada.id,
    email: 'ada@example.com',
    name: 'Ada',
    role: 'member',
    needs_second_factor: false,
    has_password: false,
    uses_single_sign_on: false,
  })
  assert.deepEqual([body.credential, body.key, body.mode], ['person', null, 'live'])
  assert.deepEqual(body.organizations, [{ id: acme.id, name: 'Acme', role: 'member' }])
  assert.ok(body.scopes.includes('contacts:write'))
  for (const scope of ['full_access', 'webhooks:admin']) assert.ok(!body.scopes.includes(scope))
  const boss = await person(app, acme.id, 'admin')
  assert.deepEqual((await boss.call('GET', 'me')).body.scopes, ['full_access'])
})

test('a person with several organizations names one, by either header', async () => {
  const both = await person(app, [acme.id, globex.id], 'admin')
  for (const path of ['contacts', 'organization']) assert.deepEqual((await both.call('GET', path)).body, headerRequired)
  // Any credential may ask who it is.
  assert.equal((await both.call('GET', 'me')).body.organization, null)
  assert.deepEqual((await both.call('POST', 'contacts', { phone_number: '+14155552671' })).body, headerRequired)
  for (const name of ['organization_id', 'x-organization-id', 'ORGANIZATION_ID', 'X-Organization-Id']) {
    const me = await both.call('GET', 'me', undefined, { [name]: globex.id })
    assert.equal(me.body.organization.id, globex.id, name)
    assert.deepEqual(
      me.body.organizations.map(({ name }: { name: string }) => name),
      ['Acme', 'Globex'],
    )
  }
  assert.equal((await both.call('GET', 'me', undefined, { organization_id: acme.id.toUpperCase() })).status, 200)
  const contradiction = { organization_id: acme.id, 'x-organization-id': globex.id }
  assert.deepEqual((await both.call('GET', 'me', undefined, contradiction)).body, headerRequired)
})

test('the named organization must be one of the credential’s, on every endpoint', async () => {
  const ada = await person(app, acme.id, 'owner')
  for (const call of [ada.call, acme.call])
    for (const path of ['me', 'contacts', 'keys'])
      for (const organization_id of [globex.id, '01976f3e-6f0a-7c44-9a51-0d3f5a1b2c3d', 'acme', '']) {
        const answer = await call('GET', path, undefined, { organization_id })
        assert.deepEqual([answer.status, answer.body], [400, headerRequired], `${path} ${organization_id}`)
      }
  for (const call of [ada.call, acme.call])
    assert.equal((await call('GET', 'me', undefined, { organization_id: acme.id })).status, 200)
})

test('people choose the mode, and each mode has its own records', async () => {
  const ada = await person(app, acme.id, 'owner')
  const inTest = { 'x-mode': 'test' }
  const made = await ada.call('POST', 'contacts', { phone_number: '+14155552672' }, inTest)
  assert.equal(made.body.livemode, false)
  assert.equal((await ada.call('GET', `contacts/${made.body.id}`, undefined, inTest)).status, 200)
  assert.equal((await ada.call('GET', `contacts/${made.body.id}`)).status, 404)
  assert.equal((await ada.call('GET', `contacts/${made.body.id}`, undefined, { 'x-mode': 'live' })).status, 404)
  for (const mode of ['prod', 'TEST', '']) {
    const answer = await ada.call('GET', 'contacts', undefined, { 'x-mode': mode })
    assert.deepEqual([answer.status, answer.body], [400, { detail: 'X-Mode must be test or live' }])
  }
})

test('a key cannot be used in the other mode', async () => {
  assert.equal((await acme.call('GET', 'contacts', undefined, { 'x-mode': 'test' })).status, 200)
  assert.equal((await acme.call('GET', 'contacts', undefined, { 'x-mode': 'live' })).status, 400)
  assert.equal((await acme.call('GET', 'me?mode=live')).body.mode, 'test')
})

test('every member can read the organization; renaming it requires full access', async () => {
  const initech = await app.organization({ name: 'Initech' })
  const member = await person(app, initech.id, 'member')
  const read = await member.call('GET', 'organization')
  assert.deepEqual([read.status, read.body.id, read.body.name], [200, initech.id, 'Initech'])
  assert.equal((await member.call('PATCH', 'organization', { name: 'Mine' })).status, 403)
  const renamed = await initech.call('PATCH', 'organization', { name: ' Initrode ' })
  assert.equal(renamed.body.name, 'Initrode')
  assert.ok(renamed.body.updated_at > read.body.updated_at)
  assert.deepEqual((await initech.call('PATCH', 'organization', {})).body, renamed.body)
  assert.deepEqual((await member.call('GET', 'organization')).body, renamed.body)
  for (const name of ['', '  ', 'n'.repeat(256), 7])
    assert.equal((await initech.call('PATCH', 'organization', { name })).status, 422)
  assert.equal((await acme.call('GET', 'organization')).body.name, 'Acme')
})

test('national numbers in requests are read for the default country of the organization', async () => {
  const hooli = await app.organization({ name: 'Hooli' })
  const create = (phone_number: string) => hooli.call('POST', 'contacts', { phone_number })
  assert.equal((await hooli.call('GET', 'organization')).body.default_country, null)
  const msg = 'Not a possible phone number: write it with + and its country code, or set a default country'
  for (const national of ['(415) 555-0199', '0049 30 1234567']) {
    const { status, body } = await create(national)
    assert.deepEqual(
      [status, body.detail],
      [422, [{ loc: ['body', 'phone_number'], msg, type: 'phone_number' }]],
      national,
    )
  }
  const before = await hooli.call('GET', 'organization')
  const changed = await hooli.call('PATCH', 'organization', { default_country: 'US' })
  assert.deepEqual([changed.status, changed.body.default_country], [200, 'US'])
  assert.ok(changed.body.updated_at > before.body.updated_at)
  assert.equal((await hooli.call('PATCH', 'organization', { name: 'Hooli XYZ' })).body.default_country, 'US')
  const { body: ada } = await create('(415) 555-0199')
  assert.equal(ada.phone_number, '+14155550199')
  assert.equal((await create('415-555-0199')).body.existing_id, ada.id)
  const { body: moved } = await hooli.call('PUT', `contacts/${ada.id}`, { phone_number: '0049 30 1234567' })
  assert.equal(moved.phone_number, '+49301234567')
  assert.deepEqual((await create('call me')).body.detail, [
    { loc: ['body', 'phone_number'], msg: 'Not a possible phone number', type: 'phone_number' },
  ])
  for (const default_country of ['us', 'ZZ', 'USA', '', 1])
    assert.equal((await hooli.call('PATCH', 'organization', { default_country })).status, 422)
  const { data: entries } = (await hooli.call('GET', 'audit-log?limit=10')).body
  const [entry] = entries.filter(({ current }: { current: object | null }) => 'default_country' in (current ?? {}))
  assert.deepEqual([entry.previous, entry.current], [{ default_country: null }, { default_country: 'US' }])
  assert.equal((await hooli.call('PATCH', 'organization', { default_country: null })).body.default_country, null)
  assert.equal((await create('(415) 555-0199')).status, 422)
})

test('the organization shows the operator’s settings: limits, retention, rates', async () => {
  const { limits, call_rates } = (await acme.call('GET', 'organization')).body
  const { settings } = app
  assert.deepEqual([limits.upload_bytes, limits.event_days], [settings.MAX_UPLOAD_BYTES, settings.EVENT_RETENTION_DAYS])
  assert.deepEqual([limits.calls_at_once, limits.recording_days], [settings.CALLS_PER_ORGANIZATION, null])
  assert.equal(call_rates.telephony_per_minute, settings.RATE_TELEPHONY_PER_MINUTE)
})

test('people change their own name; a key has none to change', async () => {
  const ada = await person(app, acme.id, 'member', { name: 'Ada' })
  const renamed = await ada.call('PATCH', 'me', { name: ' Ada Lovelace ' })
  assert.deepEqual([renamed.status, renamed.body.user.name], [200, 'Ada Lovelace'])
  assert.equal((await acme.call('GET', `members/${ada.id}`)).body.name, 'Ada Lovelace')
  assert.equal((await ada.call('PATCH', 'me', {})).body.user.name, 'Ada Lovelace')
  for (const name of ['', '  ', 'n'.repeat(256), 7]) assert.equal((await ada.call('PATCH', 'me', { name })).status, 422)
  assert.equal((await acme.call('PATCH', 'me', { name: 'Robot' })).status, 403)
})
