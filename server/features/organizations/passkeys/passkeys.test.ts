import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../platform/ids.ts'
import { bodyOf, startTestApp } from '../../../testing/app.ts'
import { connectOwner } from '../../../testing/connect-owner.ts'
import { testAuthenticator } from '../../../testing/passkeys.ts'
import { person, type TestPerson, untilStatus } from '../../../testing/people.ts'

const app = await startTestApp({ settings: { RATE_LIMIT_LOGINS_PER_MINUTE: 1_000 } })
const acme = await app.organization()
const password = 'correct horse battery staple'
const origin = 'http://localhost'
const host = { host: 'localhost' }

async function withPassword(): Promise<TestPerson> {
  const made = await person(app, acme.id, 'owner')
  bodyOf(await made.call('POST', 'auth/password', { new_password: password }))
  return made
}

async function add({ call }: TestPerson, authenticator = testAuthenticator()) {
  const options = bodyOf(await call('POST', 'auth/passkeys/options', { current_password: password }, host))
  const response = authenticator.create(options, origin)
  const added = bodyOf(await call('POST', 'auth/passkeys', { name: 'Work laptop', response }, host))
  return { authenticator, added, options }
}

const challenge = async () => bodyOf(await app.call('POST', 'auth/passkey/options', undefined, host))
const enter = (response: unknown) => app.call('POST', 'auth/passkey', { response }, host)

test('a person adds a passkey and signs in with it alone', async () => {
  const ada = await withPassword()
  const { authenticator, added, options } = await add(ada)
  assert.deepEqual([options.rp.id, options.user.name], ['localhost', ada.email])
  assert.equal(options.authenticatorSelection.userVerification, 'required')
  assert.deepEqual([added.name, added.last_used_at, added.recovery_codes.length], ['Work laptop', null, 10])
  const entered = bodyOf(await enter(authenticator.get(await challenge(), origin)))
  assert.deepEqual(Object.keys(entered), ['access_token', 'token_type', 'expires_in', 'refresh_token', 'organizations'])
  const session = app.as(entered.access_token)
  assert.equal(bodyOf(await session('GET', 'me')).user.id, ada.id)
  assert.equal(bodyOf(await session('GET', 'auth/sessions')).data[0].signed_in_by, 'passkey')
  const [listed] = bodyOf(await session('GET', 'auth/passkeys')).data
  assert.equal(listed.id, added.id)
  assert.ok(listed.last_used_at)

  const byPassword = await app.call('POST', 'auth/login', { email: ada.email, password })
  assert.equal(byPassword.body.error.code, 'second_factor_required', 'it is a second factor')
  const code = added.recovery_codes[0]
  bodyOf(await app.call('POST', 'auth/login', { email: ada.email, password, code }))
  assert.equal((await add(ada)).added.recovery_codes, null, 'a second passkey brings no new codes')
  const removal = { current_password: password, code: added.recovery_codes[1] }
  assert.equal((await ada.call('POST', 'auth/authenticator/remove', removal)).status, 404)
})

test('a response is accepted once, from this origin and of a verified person', async () => {
  const ada = await withPassword()
  const { authenticator } = await add(ada)
  const response = authenticator.get(await challenge(), origin)
  const answers = await Promise.all([1, 2, 3].map(() => enter(response)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401])
  const refused = [
    authenticator.get(await challenge(), 'https://evil.example.com'),
    authenticator.get({ ...(await challenge()), rpId: 'evil.example.com' }, origin),
    authenticator.get(await challenge(), origin, { isVerified: false }),
    authenticator.get({ ...(await challenge()), challenge: 'bm8gY2hhbGxlbmdlIG9mIG91cnM' }, origin),
    { ...testAuthenticator().get(await challenge(), origin), id: response.id, rawId: response.id },
    testAuthenticator().get(await challenge(), origin),
    {},
    { id: response.id },
  ]
  for (const [n, each] of refused.entries()) {
    const { status, body } = await enter(each)
    assert.deepEqual([status, body.error?.code], [401, 'invalid_api_key'], String(n))
  }
  const expired = await challenge()
  await app.database.forSystem().run`update passkey_challenges set expires_at = now() - interval '1 second'`
  assert.equal((await enter(authenticator.get(expired, origin))).status, 401)
  bodyOf(await enter(authenticator.get(await challenge(), origin)))
})

test('adding requires the password, a challenge of one’s own and a new credential', async () => {
  const [ada, eve] = [await withPassword(), await withPassword()]
  const begin = (call = ada.call, body: object = { current_password: password }) =>
    call('POST', 'auth/passkeys/options', body, host)
  const finish = (response: unknown, call = ada.call) => call('POST', 'auth/passkeys', { name: 'Key', response }, host)
  const { access_token } = bodyOf(await app.call('POST', 'auth/login', { email: ada.email, password }))
  assert.equal((await begin(app.as(access_token), {})).status, 422, 'a stolen session adds none')
  const authenticator = testAuthenticator()
  const options = bodyOf(await begin())
  assert.equal((await finish(authenticator.create(options, 'https://evil.example.com'))).status, 422)
  assert.equal((await finish(authenticator.create(bodyOf(await begin(eve.call)), origin))).status, 422)
  assert.equal((await finish({})).status, 422)
  assert.equal((await ada.call('POST', 'auth/passkeys', { response: {} }, host)).status, 422)
  const created = authenticator.create(bodyOf(await begin()), origin)
  bodyOf(await finish(created))
  const [again] = (await finish(created)).body.detail
  assert.equal(again.msg, 'The challenge is unknown, expired or already used. Start again.')
  assert.equal(bodyOf(await begin()).excludeCredentials.length, 1)
  assert.equal((await finish(authenticator.create(bodyOf(await begin()), origin))).status, 409)
})

test('a failure of the database is not taken for a bad response', async () => {
  const ada = await withPassword()
  const { authenticator } = await add(ada)
  const entering = authenticator.get(await challenge(), origin)
  const options = bodyOf(await ada.call('POST', 'auth/passkeys/options', { current_password: password }, host))
  const response = testAuthenticator().create(options, origin)
  const finish = () => ada.call('POST', 'auth/passkeys', { name: 'Key', response }, host)
  const owner = await connectOwner(app)
  await owner.query('revoke delete on passkey_challenges from frontdesk_system')
  assert.deepEqual([(await finish()).status, (await enter(entering)).status], [500, 500])
  await owner.query('grant delete on passkey_challenges to frontdesk_system')
  bodyOf(await finish())
  bodyOf(await enter(entering))
  assert.equal(bodyOf(await acme.call('GET', `audit-log?action=sign_in.failed&object_id=${ada.id}`)).total_count, 0)
})

test('the last second factor is removed with a code, or just after signing in with a passkey', async () => {
  const ada = await withPassword()
  const { authenticator, added } = await add(ada)
  const { added: second } = await add(ada)
  const remove = (id: string, body: object = {}, call = ada.call) =>
    call('POST', `auth/passkeys/${id}/remove`, { current_password: password, ...body })
  // Of two requests at once, the second one finds the last passkey.
  const statuses = (await Promise.all([remove(added.id), remove(second.id)])).map(({ status }) => status)
  assert.deepEqual(statuses.sort(), [200, 422])
  const [{ id }] = bodyOf(await ada.call('GET', 'auth/passkeys')).data
  const missing = await remove(id)
  assert.deepEqual(missing.body.detail[0].loc, ['body', 'code'])
  assert.equal((await remove(id, { code: '000000' })).status, 422)
  const [code] = added.recovery_codes
  bodyOf(await app.call('POST', 'auth/login', { email: ada.email, password, code }))
  assert.equal((await remove(id, { code })).status, 422, 'a used code proves nothing')
  bodyOf(await remove(id, { code: added.recovery_codes[1] }))
  assert.equal((await enter(authenticator.get(await challenge(), origin))).status, 401)

  const eve = await withPassword()
  const own = await add(eve)
  const { access_token } = bodyOf(await enter(own.authenticator.get(await challenge(), origin)))
  bodyOf(await remove(own.added.id, {}, app.as(access_token)))
})

test('a passkey is removed with the password, by its owner only', async () => {
  const [ada, eve] = [await withPassword(), await withPassword()]
  const { authenticator, added } = await add(ada)
  const { access_token } = bodyOf(await app.call('POST', 'auth/login', { email: eve.email, password }))
  const remove = (call = ada.call, id = added.id, body: object = { current_password: password }) =>
    call('POST', `auth/passkeys/${id}/remove`, body)
  assert.equal((await remove(eve.call)).status, 404)
  assert.equal((await remove(ada.call, newId())).status, 404)
  assert.equal((await remove(app.as(access_token), added.id, {})).status, 422)
  const code = added.recovery_codes[0]
  assert.deepEqual(bodyOf(await remove(ada.call, added.id, { current_password: password, code })), {
    message: 'Passkey deleted successfully',
  })
  assert.equal((await enter(authenticator.get(await challenge(), origin))).status, 401)
  assert.equal((await app.call('POST', 'auth/login', { email: ada.email, password })).status, 200)
  assert.equal(bodyOf(await ada.call('GET', 'auth/second-factors')).recovery_codes_left, 0)
  const { data } = bodyOf(await acme.call('GET', `audit-log?action=second_factor.*&actor_id=${ada.id}`))
  assert.deepEqual(
    data.map(({ action, current }: { action: string; current: object }) => [action, current]),
    [
      ['second_factor.removed', { kind: 'passkey' }],
      ['second_factor.added', { kind: 'passkey' }],
    ],
  )
})

test('a passkey satisfies an organization that requires a second factor', async () => {
  const strict = await app.organization()
  const owner = await person(app, strict.id, 'owner')
  bodyOf(await owner.call('PATCH', 'organization', { requires_second_factor: true }))
  await untilStatus(() => owner.call('GET', 'contacts'), 403)
  await add(owner)
  await untilStatus(() => owner.call('GET', 'contacts'), 200)
})

test('keys and unauthenticated callers have no passkeys', async () => {
  const requests = [
    ['GET', 'auth/passkeys', undefined],
    ['POST', 'auth/passkeys', { name: 'Key', response: {} }],
    ['POST', 'auth/passkeys/options', {}],
    ['POST', `auth/passkeys/${newId()}/remove`, {}],
  ] as const
  for (const [method, path, body] of requests) {
    assert.deepEqual((await acme.call(method, path, body)).body, { detail: 'Only people have passkeys' })
    assert.equal((await app.call(method, path, body)).status, 401)
  }
  assert.equal((await app.call('POST', 'auth/passkey', {})).status, 422)
  const node = await app.node({ RATE_LIMIT_LOGINS_PER_MINUTE: 2 })
  for (const [path, body] of [
    ['auth/passkey', { response: {} }],
    ['auth/passkey/options', undefined],
  ] as const) {
    const statuses: number[] = []
    // Twice the limit and one more: a minute may end in between.
    for (let n = 0; n < 5; n++) statuses.push((await node.call('POST', path, body)).status)
    assert.ok(statuses.includes(429), `${path}: ${statuses}`)
  }
})
