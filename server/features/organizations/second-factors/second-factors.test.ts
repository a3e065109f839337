import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf, type Reply, startTestApp } from '../../../testing/app.ts'
import { person, signInByLink, type TestPerson, untilStatus } from '../../../testing/people.ts'
import { createSignInLink } from '../create-sign-in-link.ts'
import { stepOfCode, totpCode, totpStep } from './totp.ts'

const app = await startTestApp({ settings: { RATE_LIMIT_LOGINS_PER_MINUTE: 1_000 } })
const acme = await app.organization()
const sql = app.database.forSystem()
const password = 'correct horse battery staple'

/** A code that was not used before: of the next step, as if the last one had been used long ago. */
async function newCode({ id }: { id: string }, secret: string): Promise<string> {
  await sql.run`update authenticators set last_step = 0 where user_id = ${id}`
  return totpCode(secret, totpStep(Date.now()))
}

async function withPassword(role: 'owner' | 'admin' | 'member' = 'member', organization = acme) {
  const made = await person(app, organization.id, role)
  bodyOf(await made.call('POST', 'auth/password', { new_password: password }))
  return made
}

/** Sets up an authenticator app; returns its secret and the recovery codes. */
async function setUp({ call }: TestPerson) {
  const { secret } = bodyOf(await call('POST', 'auth/authenticator', { current_password: password }))
  const code = totpCode(secret, totpStep(Date.now()))
  const { recovery_codes } = bodyOf(await call('POST', 'auth/authenticator/confirm', { code }))
  return { secret: secret as string, recoveryCodes: recovery_codes as string[] }
}

/** The device cookie that a response sets, as a browser sends it back. */
const deviceOf = ({ headers }: Reply) =>
  String([headers['set-cookie']].flat().find((each) => String(each).startsWith('frontdesk_device='))).split(';')[0]

const login = ({ email }: TestPerson, code?: string, given = password, node = app) =>
  node.call('POST', 'auth/login', { email, password: given, ...(code && { code }) })
const named = ({ status, body }: Reply) => [status, body.error?.code, body.error?.type]
const required = [401, 'second_factor_required', 'authentication_error']
const wrong = [401, 'second_factor_invalid', 'authentication_error']

test('codes are those of RFC 6238, of the previous, this and the next step', () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  for (const [seconds, code] of [
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [20_000_000_000, '353130'],
  ] as const) {
    const step = totpStep(seconds * 1000)
    assert.equal(totpCode(secret, step), code)
    const accepted = [-2, -1, 0, 1, 2].map((n) => stepOfCode(secret, code, (step + n) * 30_000))
    assert.deepEqual(accepted, [undefined, step, step, step, undefined])
  }
  assert.equal(totpCode(secret, 1), '287082')
  assert.equal(stepOfCode(secret, '28708', 59_000), undefined)
})

test('an authenticator app is set up with a secret and a first code, and then asked for', async () => {
  const ada = await withPassword()
  const begun = await ada.call('POST', 'auth/authenticator', { current_password: password })
  assert.equal(begun.status, 201, begun.text)
  const { secret, uri } = begun.body
  assert.match(secret, /^[A-Z2-7]{32}$/)
  assert.equal(uri, `otpauth://totp/${encodeURIComponent(`Frontdesk:${ada.email}`)}?secret=${secret}&issuer=Frontdesk`)
  assert.equal((await login(ada)).status, 200, 'it is not asked for before it is confirmed')
  assert.equal((await ada.call('POST', 'auth/authenticator/confirm', { code: '000000' })).status, 422)
  const other = await signInByLink(app, ada.id)
  const code = totpCode(secret, totpStep(Date.now()))
  const { recovery_codes } = bodyOf(await ada.call('POST', 'auth/authenticator/confirm', { code }))
  assert.equal(recovery_codes.length, 10)
  for (const each of recovery_codes) assert.match(each, /^[2-9a-z]{5}-[2-9a-z]{5}$/)
  assert.equal((await other.call('GET', 'me')).status, 401, 'sessions opened without it end')
  assert.equal((await ada.call('GET', 'me')).status, 200)
  const { authenticator, recovery_codes_left } = bodyOf(await ada.call('GET', 'auth/second-factors'))
  assert.ok(authenticator.confirmed_at)
  assert.equal(recovery_codes_left, 10)

  const missing = await login(ada)
  assert.deepEqual(named(missing), required)
  assert.equal(missing.headers['set-cookie'], undefined)
  assert.match(String(missing.headers['www-authenticate']), /^Bearer realm/)
  assert.equal(missing.body.detail, missing.body.error.message)
  assert.deepEqual(named(await login(ada, '000000')), wrong)
  assert.deepEqual(named(await login(ada, undefined, 'not the password')), [
    401,
    'invalid_api_key',
    'authentication_error',
  ])
  const entered = await login(ada, await newCode(ada, secret))
  assert.deepEqual(Object.keys(bodyOf(entered)), [
    'access_token',
    'token_type',
    'expires_in',
    'refresh_token',
    'organizations',
  ])
  assert.equal((await ada.call('POST', 'auth/authenticator', { current_password: password })).status, 409)
  assert.equal((await ada.call('POST', 'auth/authenticator/confirm', { code })).status, 409)
})

test('codes are checked by the clock of the database, which all nodes share', async (t) => {
  const ada = await withPassword()
  const { secret } = await setUp(ada)
  const code = await newCode(ada, secret)
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 3_600_000 })
  const entered = login(ada, code)
  await entered.finally(() => t.mock.timers.reset())
  assert.equal((await entered).status, 200)
})

test('a code is accepted once, also with ten concurrent requests', async () => {
  const ada = await withPassword()
  const { secret } = await setUp(ada)
  const code = await newCode(ada, secret)
  const answers = await Promise.all(Array.from({ length: 10 }, () => login(ada, code)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(9).fill(401)])
  assert.deepEqual(named(await login(ada, code)), wrong)
  const earlier = totpCode(secret, totpStep(Date.now()) - 1)
  assert.deepEqual(named(await login(ada, earlier)), wrong, 'nor is an older one')
})

test('a recovery code replaces the app once, however it is typed', async () => {
  const ada = await withPassword()
  const { recoveryCodes, secret } = await setUp(ada)
  const [first = '', second = ''] = recoveryCodes
  assert.equal((await login(ada, ` ${first.toUpperCase().replace('-', ' ')}`)).status, 200)
  assert.deepEqual(named(await login(ada, first)), wrong)
  assert.equal(bodyOf(await ada.call('GET', 'auth/second-factors')).recovery_codes_left, 9)
  assert.equal((await ada.call('POST', 'auth/recovery-codes', { code: first })).status, 422)
  const renewed = await ada.call('POST', 'auth/recovery-codes', { code: await newCode(ada, secret) })
  assert.equal(renewed.status, 201, renewed.text)
  assert.deepEqual(named(await login(ada, second)), wrong, 'the previous ones stop working')
  assert.equal((await login(ada, renewed.body.recovery_codes[0])).status, 200)
  const eve = await withPassword()
  await setUp(eve)
  assert.deepEqual(named(await login(eve, renewed.body.recovery_codes[1])), wrong, 'they are no one else’s')
})

test('a link and an invitation need the second factor too, and are not used up without it', async () => {
  const ada = await withPassword()
  const { secret } = await setUp(ada)
  const token = await app.database.inSystem((tx) => createSignInLink(tx, ada.id))
  assert.deepEqual(named(await app.call('POST', 'auth/link', { token })), required)
  assert.deepEqual(named(await app.call('POST', 'auth/link', { token, code: '000000' })), wrong)
  bodyOf(await app.call('POST', 'auth/link', { token, code: await newCode(ada, secret) }))

  const globex = await app.organization({ mode: 'live' })
  const invited = bodyOf(await globex.call('POST', 'invitations', { email: ada.email, role: 'member' }))
  const accept = { token: invited.link.split('=')[1], password }
  assert.deepEqual(named(await app.call('POST', 'invitations/accept', accept)), required)
  bodyOf(await app.call('POST', 'invitations/accept', { ...accept, code: await newCode(ada, secret) }))
})

test('it is removed with the password and a code', async () => {
  const ada = await withPassword()
  const { secret } = await setUp(ada)
  const session = app.as(bodyOf(await login(ada, await newCode(ada, secret))).access_token)
  const remove = (body: object) => session('POST', 'auth/authenticator/remove', body)
  const placeOf = ({ status, body }: Reply) => [status, body.detail[0].loc[1]]
  const code = await newCode(ada, secret)
  assert.deepEqual(placeOf(await remove({ code })), [422, 'current_password'])
  assert.deepEqual(placeOf(await remove({ code, current_password: 'not the password' })), [422, 'current_password'])
  assert.deepEqual(placeOf(await remove({ current_password: password })), [422, 'code'])
  assert.deepEqual(placeOf(await remove({ code: '000000', current_password: password })), [422, 'code'])
  bodyOf(await remove({ code, current_password: password }))
  assert.equal((await login(ada)).status, 200)
  assert.deepEqual(bodyOf(await session('GET', 'auth/second-factors')), { authenticator: null, recovery_codes_left: 0 })
  assert.equal((await session('POST', 'auth/authenticator', {})).status, 422, 'a stolen session sets up none')
})

test('attempts at the code are limited per account, from whatever address they come', async () => {
  const node = await app.node({ RATE_LIMIT_LOGINS_PER_MINUTE: 5, TRUST_PROXY: true })
  const ada = await withPassword()
  const formerDevice = deviceOf(await login(ada))
  // The first of the five attempts.
  const { secret } = await setUp({ ...ada, call: node.as(ada.token) })
  const attempt = (n: number, code: string, cookie?: string) => {
    const body = { email: ada.email, password, code }
    return node.call('POST', 'auth/login', body, { 'x-forwarded-for': `10.9.0.${n}`, ...(cookie && { cookie }) })
  }
  const device = deviceOf(await attempt(9, await newCode(ada, secret)))
  const statuses: number[] = []
  for (let n = 0; n < 4; n++) statuses.push((await attempt(n, '000000')).status)
  assert.deepEqual(statuses, [...Array(3).fill(401), 429])
  assert.equal((await attempt(7, await newCode(ada, secret))).status, 429, 'the right code is no way around')
  const known = await attempt(8, await newCode(ada, secret), device)
  assert.equal(known.status, 200, 'a device that signed in with a code has attempts of its own')
  const former = await attempt(9, await newCode(ada, secret), formerDevice)
  assert.equal(former.status, 429, 'one that was known before the second factor has none')
})

test('keys and unauthenticated callers have no second factors', async () => {
  const requests = [
    ['GET', 'auth/second-factors', undefined],
    ['POST', 'auth/authenticator', {}],
    ['POST', 'auth/authenticator/confirm', { code: '123456' }],
    ['POST', 'auth/authenticator/remove', { code: '123456' }],
    ['POST', 'auth/recovery-codes', { code: '123456' }],
  ] as const
  for (const [method, path, body] of requests) {
    assert.deepEqual((await acme.call(method, path, body)).body, { detail: 'Only people have second factors' })
    assert.equal((await app.call(method, path, body)).status, 401)
  }
  const ada = await withPassword()
  assert.equal((await ada.call('POST', 'auth/authenticator/confirm', { code: '123456' })).status, 409)
  assert.equal((await ada.call('POST', 'auth/recovery-codes', { code: '123456' })).status, 422)
})

test('an organization that requires a second factor admits members without one only to set it up', async () => {
  const organization = await app.organization({ name: 'Strict' })
  const [owner, admin, member] = [
    await withPassword('owner', organization),
    await withPassword('admin', organization),
    await withPassword('member', organization),
  ]
  const requiring = { requires_second_factor: true }
  for (const call of [admin.call, organization.call])
    assert.deepEqual(await call('PATCH', 'organization', requiring).then(({ status, body }) => [status, body]), [
      403,
      { detail: 'Only owners can change whether a second factor is required' },
    ])
  assert.equal((await owner.call('PATCH', 'organization', { requires_second_factor: 'yes' })).status, 422)
  const { secret } = await setUp(owner)
  assert.equal(bodyOf(await owner.call('PATCH', 'organization', requiring)).requires_second_factor, true)

  await untilStatus(() => member.call('GET', 'contacts'), 403)
  const refused = await member.call('GET', 'contacts')
  assert.deepEqual(named(refused), [403, 'second_factor_setup_required', 'authentication_error'])
  assert.equal((await member.call('PATCH', 'me', { name: 'Mem' })).status, 403)
  const me = bodyOf(await member.call('GET', 'me'))
  assert.deepEqual([me.user.needs_second_factor, me.scopes], [true, []])
  await setUp(member)
  assert.equal((await member.call('GET', 'contacts')).status, 200)
  assert.equal(bodyOf(await member.call('GET', 'me')).user.needs_second_factor, false)
  assert.equal((await organization.call('GET', 'contacts')).status, 200, 'keys are not people')
  assert.equal((await owner.call('GET', 'contacts')).status, 200)

  const session = app.as(bodyOf(await login(owner, await newCode(owner, secret))).access_token)
  bodyOf(await session('PATCH', 'organization', { requires_second_factor: false }))
  await untilStatus(() => admin.call('GET', 'contacts'), 200)
})

test('the audit log records passwords, second factors, recovery codes and failed sign-ins', async () => {
  const organization = await app.organization()
  const ada = await withPassword('owner', organization)
  const { secret } = await setUp(ada)
  const renewal = { code: await newCode(ada, secret) }
  const recoveryCodes = bodyOf(await ada.call('POST', 'auth/recovery-codes', renewal)).recovery_codes
  bodyOf(await ada.call('PATCH', 'organization', { requires_second_factor: true }))
  await login(ada, undefined, 'not the password')
  await login(ada, '000000')
  const { access_token } = bodyOf(await login(ada, recoveryCodes[0]))
  const removal = { current_password: password, code: await newCode(ada, secret) }
  bodyOf(await app.as(access_token)('POST', 'auth/authenticator/remove', removal))
  const entries = async (action: string) =>
    bodyOf(await organization.call('GET', `audit-log?action=${action}`)).data.map((entry: Record<string, unknown>) => {
      const { action, actor_type, object_name, ip_address, current } = entry
      return { action, actor_type, object_name, ip_address, current }
    })
  const about = { object_name: ada.email, ip_address: '127.0.0.1' }
  const factor = { ...about, actor_type: 'user', current: { kind: 'authenticator' } }
  assert.deepEqual(await entries('second_factor.*'), [
    { ...factor, action: 'second_factor.removed' },
    { ...factor, action: 'second_factor.added' },
  ])
  assert.deepEqual(await entries('password.*'), [
    { ...about, action: 'password.changed', actor_type: 'user', current: null },
  ])
  assert.deepEqual(await entries('recovery_code.*'), [
    { ...about, action: 'recovery_code.used', actor_type: 'user', current: { left: 9 } },
    { ...about, action: 'recovery_code.replaced', actor_type: 'user', current: null },
  ])
  const failed = (reason: string) => ({
    ...about,
    action: 'sign_in.failed',
    actor_type: 'system',
    current: { reason, user_agent: 'lightMyRequest' },
  })
  assert.deepEqual(await entries('sign_in.failed'), [failed('second_factor'), failed('password')])
  const [changed] = await entries('organization.updated')
  assert.deepEqual(changed.current, { requires_second_factor: true })
  for (let n = 0; n < 12; n++) await login(ada, undefined, 'not the password')
  assert.equal((await entries('sign_in.failed')).length, 11, 'at most ten of an account in a minute')
})
