import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, sharedTestApp } from '../../../testing/app.ts'
import { person } from '../../../testing/people.ts'
import { until } from '../../../testing/process.ts'

const app = await sharedTestApp()
const acme = await app.organization({ mode: 'live' })
const globex = await app.organization({ mode: 'live' })
const newKey = { name: 'CRM sync', mode: 'test', scopes: ['contacts:read', 'contacts:write'] }
const unknownId = '01976f3e-6f0a-7c44-9a51-0d3f5a1b2c3d'

test('a key is created with its secret, which is shown once and works immediately', async () => {
  const { secret, ...key } = ok(await acme.call('POST', 'keys', { ...newKey, name: '  CRM sync ' }), 201)
  assert.match(secret, /^svc_sk_test_[0-9A-Za-z]{43}$/)
  assert.equal(key.name, 'CRM sync')
  assert.equal(key.prefix, 'svc_sk_test_')
  assert.equal(key.last_four, secret.slice(-4))
  assert.deepEqual(key.scopes, newKey.scopes)
  assert.equal(key.expires_at, null)
  const read = await acme.call('GET', `keys/${key.id}`)
  assert.deepEqual(read.body, key)
  assert.equal((await app.as(secret)('GET', 'contacts')).status, 200)
  assert.equal((await app.as(secret)('GET', 'channels')).status, 403)
})

test('a replay of the same request returns the key without its secret and creates no second one', async () => {
  const headers = { 'idempotency-key': 'make one key' }
  const first = await acme.call('POST', 'keys', newKey, headers)
  const replay = await acme.call('POST', 'keys', newKey, headers)
  assert.equal(replay.status, 201)
  assert.equal(replay.headers['idempotent-replayed'], 'true')
  assert.deepEqual(replay.body, { ...first.body, secret: null })
})

test('a key needs a name, known scopes, a mode and an expiry in the future', async () => {
  const refused = async (changes: object, loc: string[]) => {
    const answer = await acme.call('POST', 'keys', { ...newKey, ...changes })
    assert.equal(answer.status, 422, answer.text)
    assert.deepEqual(answer.body.detail[0].loc, loc)
  }
  await refused({ name: '' }, ['body', 'name'])
  await refused({ name: '   ' }, ['body', 'name'])
  await refused({ name: 'n'.repeat(256) }, ['body', 'name'])
  await refused({ scopes: [] }, ['body', 'scopes'])
  await refused({ scopes: ['everything'] }, ['body', 'scopes', '0'])
  await refused({ mode: 'prod' }, ['body', 'mode'])
  await refused({ mode: undefined }, ['body', 'mode'])
  await refused({ expires_at: 'tomorrow' }, ['body', 'expires_at'])
  await refused({ expires_at: '2020-01-01T00:00:00Z' }, ['body', 'expires_at'])
  await refused({ expires_at: new Date().toISOString() }, ['body', 'expires_at'])
})

test('a key is refused after it expires, also while a node has it cached', async () => {
  // Longer on a machine that takes this long to create and use a key.
  for (let lifetimeMs = 700, accepted = 0; accepted === 0; lifetimeMs *= 2) {
    const expires_at = new Date(Date.now() + lifetimeMs).toISOString()
    const { status, body } = await acme.call('POST', 'keys', { ...newKey, expires_at })
    if (status === 422) continue
    assert.equal(body.expires_at, expires_at)
    const call = app.as(body.secret)
    await until(async () => {
      const askedAt = Date.now()
      const answer = await call('GET', 'contacts')
      if (answer.status === 401) return true
      assert.equal(answer.status, 200)
      assert.ok(askedAt < Date.parse(expires_at) + 50, 'it works on after its end')
      accepted++
      return false
    })
    assert.ok(Date.now() >= Date.parse(expires_at) - 50)
  }
})

test('keys are listed newest first, with pagination, including revoked ones', async () => {
  const initech = await app.organization({ mode: 'live' })
  const ids = [initech.keyId]
  for (let n = 0; n < 4; n++) ids.unshift((await initech.call('POST', 'keys', newKey)).body.id)
  await initech.call('DELETE', `keys/${ids[1]}`)
  const first = await initech.call('GET', 'keys?limit=2')
  assert.deepEqual(
    first.body.data.map(({ id }: { id: string }) => id),
    ids.slice(0, 2),
  )
  assert.deepEqual([first.body.has_more, first.body.next_cursor, first.body.total_count], [true, ids[1], 5])
  assert.notEqual(first.body.data[1].revoked_at, null)
  const rest = await initech.call('GET', `keys?limit=3&starting_after=${ids[1]}`)
  assert.deepEqual(
    rest.body.data.map(({ id }: { id: string }) => id),
    ids.slice(2),
  )
  assert.equal(rest.body.has_more, false)
  const beyond = await initech.call('GET', `keys?starting_after=${ids[4]}`)
  assert.deepEqual(beyond.body, { data: [], has_more: false, next_cursor: null, total_count: 5 })
  assert.equal((await initech.call('GET', 'keys?starting_after=x')).status, 422)
  assert.equal((await initech.call('GET', 'keys?limit=101')).status, 422)
})

test('a revoked key is refused immediately on the node that revoked it, and stays revoked', async () => {
  const { body } = await acme.call('POST', 'keys', newKey)
  const call = app.as(body.secret)
  assert.equal((await call('GET', 'contacts')).status, 200)
  const revoked = await acme.call('DELETE', `keys/${body.id}`)
  assert.deepEqual([revoked.status, revoked.body], [200, { message: 'Key revoked successfully' }])
  assert.equal((await call('GET', 'contacts')).status, 401)
  const { revoked_at } = (await acme.call('GET', `keys/${body.id}`)).body
  assert.equal((await acme.call('DELETE', `keys/${body.id}`)).status, 200)
  assert.equal((await acme.call('GET', `keys/${body.id}`)).body.revoked_at, revoked_at)
})

test('a key can revoke itself', async () => {
  const own = await app.key(acme.id)
  assert.equal((await app.as(own.secret)('DELETE', `keys/${own.id}`)).status, 200)
  assert.equal((await app.as(own.secret)('GET', 'me')).status, 401)
})

test('a rolled key passes its scopes to a new secret, and the old one ends after the overlap', async () => {
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  // Longer on a machine that takes this long to roll and use a key.
  for (let overlap_seconds = 1, accepted = 0; accepted === 0; overlap_seconds *= 2) {
    const old = (await acme.call('POST', 'keys', { ...newKey, expires_at })).body
    const rolled = ok(await acme.call('POST', `keys/${old.id}/roll`, { overlap_seconds }), 201)
    assert.notEqual(rolled.id, old.id)
    assert.notEqual(rolled.secret, old.secret)
    for (const member of ['name', 'scopes', 'mode', 'expires_at']) assert.deepEqual(rolled[member], old[member], member)
    assert.equal((await app.as(rolled.secret)('GET', 'contacts')).status, 200)
    const endsAt = Date.parse((await acme.call('GET', `keys/${old.id}`)).body.revoked_at)
    await until(async () => {
      const { status } = await app.as(old.secret)('GET', 'contacts')
      if (status === 200) accepted++
      return status === 401
    })
    assert.ok(Date.now() >= endsAt - 50, 'it ended before its overlap was over')
    assert.equal((await app.as(rolled.secret)('GET', 'contacts')).status, 200)
  }
})

test('a roll without overlap ends the old key immediately; a key is rolled once', async () => {
  const old = (await acme.call('POST', 'keys', newKey)).body
  const rolls = await Promise.all([1, 2, 3].map(() => acme.call('POST', `keys/${old.id}/roll`)))
  assert.deepEqual(rolls.map(({ status }) => status).sort(), [201, 409, 409])
  assert.equal((await app.as(old.secret)('GET', 'contacts')).status, 401)
  const overlapping = (await acme.call('POST', 'keys', newKey)).body
  assert.equal((await acme.call('POST', `keys/${overlapping.id}/roll`, { overlap_seconds: 60 })).status, 201)
  assert.equal((await acme.call('POST', `keys/${overlapping.id}/roll`, { overlap_seconds: 60 })).status, 409)
  assert.equal((await acme.call('DELETE', `keys/${overlapping.id}`)).status, 200)
  assert.equal((await app.as(overlapping.secret)('GET', 'contacts')).status, 401)
  assert.equal((await acme.call('POST', `keys/${overlapping.id}/roll`, { overlap_seconds: -1 })).status, 422)
  const headers = { 'idempotency-key': 'roll once' }
  const third = (await acme.call('POST', 'keys', newKey)).body
  assert.notEqual((await acme.call('POST', `keys/${third.id}/roll`, {}, headers)).body.secret, null)
  assert.equal((await acme.call('POST', `keys/${third.id}/roll`, {}, headers)).body.secret, null)
})

test('a test key creates, sees and revokes test keys only', async () => {
  const test = await app.key(acme.id)
  const live = await app.key(acme.id, { mode: 'live' })
  const call = app.as(test.secret)
  assert.equal((await call('POST', 'keys', { ...newKey, mode: 'live' })).status, 403)
  assert.equal((await call('POST', 'keys', { ...newKey, scopes: ['full_access'] })).status, 201)
  const listed = await call('GET', 'keys?limit=100')
  assert.ok(listed.body.data.length > 0)
  assert.ok(listed.body.data.every(({ mode }: { mode: string }) => mode === 'test'))
  assert.equal(listed.body.total_count, listed.body.data.length)
  for (const [method, path] of [
    ['GET', `keys/${live.id}`],
    ['DELETE', `keys/${live.id}`],
    ['POST', `keys/${live.id}/roll`],
  ] as const) {
    const answer = await call(method, path)
    assert.deepEqual([answer.status, answer.body], [404, { detail: 'Key not found' }], path)
  }
  assert.equal((await app.as(live.secret)('GET', `keys/${test.id}`)).status, 200)
})

test('managing keys requires full access: other keys and plain members are refused', async () => {
  const lesser = app.as((await app.key(acme.id, { scopes: ['contacts:write', 'webhooks:admin'] })).secret)
  const member = await person(app, acme.id, 'member')
  for (const call of [lesser, member.call])
    for (const [method, path, body] of [
      ['GET', 'keys', undefined],
      ['POST', 'keys', newKey],
      ['GET', `keys/${acme.keyId}`, undefined],
      ['DELETE', `keys/${acme.keyId}`, undefined],
      ['POST', `keys/${acme.keyId}/roll`, {}],
    ] as const) {
      const answer = await call(method, path, body)
      assert.equal(answer.status, 403, `${method} ${path}`)
      assert.equal(answer.body.error.required_scope, 'full_access')
    }
  assert.equal((await acme.call('GET', 'me')).status, 200)
})

test('owners and admins create keys of both modes, whatever mode they use', async () => {
  const admin = await person(app, acme.id, 'admin')
  const made = ok(await admin.call('POST', 'keys', { ...newKey, mode: 'live' }, { 'x-mode': 'test' }), 201)
  assert.equal(made.created_by, admin.id)
  const modes = (await admin.call('GET', 'keys?limit=100')).body.data.map(({ mode }: { mode: string }) => mode)
  assert.deepEqual([...new Set(modes)].sort(), ['live', 'test'])
})

test('another organization’s key answers 404', async () => {
  const foreign = (await globex.call('POST', 'keys', newKey)).body
  for (const id of [foreign.id, unknownId, 'nonsense'])
    for (const [method, path] of [
      ['GET', `keys/${id}`],
      ['DELETE', `keys/${id}`],
      ['POST', `keys/${id}/roll`],
    ] as const) {
      const answer = await acme.call(method, path)
      assert.deepEqual([answer.status, answer.body], [404, { detail: 'Key not found' }], `${method} ${path}`)
    }
  const listed = await acme.call('GET', 'keys?limit=100')
  assert.ok(listed.body.data.every(({ organization_id }: { organization_id: string }) => organization_id === acme.id))
  assert.equal((await app.as(foreign.secret)('GET', 'contacts')).status, 200)
})

test('the last use of a key is recorded at most once a minute', async () => {
  const { id, secret } = await app.key(acme.id)
  const useOnAnotherNode = async () => {
    const node = await app.node()
    for (let n = 0; n < 3; n++) assert.equal((await node.as(secret)('GET', 'me')).status, 200)
    // A node writes pending values when it stops.
    await node.close()
    return (await acme.call('GET', `keys/${id}`)).body.last_used_at
  }
  assert.equal((await acme.call('GET', `keys/${id}`)).body.last_used_at, null)
  const first = await useOnAnotherNode()
  assert.notEqual(first, null)
  assert.equal(await useOnAnotherNode(), first)
  await app.database.forSystem().run`update keys set last_used_at = now() - interval '61 seconds' where id = ${id}`
  assert.ok((await useOnAnotherNode()) >= first)
})
