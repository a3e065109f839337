import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { createRateLimiter } from '../../../platform/http/rate-limit.ts'
import { hashToken } from '../../../platform/secrets.ts'
import { type Reply, startTestApp } from '../../../testing/app.ts'
import { person, signInByLink } from '../../../testing/people.ts'
import { createSignInLink } from '../create-sign-in-link.ts'
import { checkPassword } from './check-password.ts'

const app = await startTestApp({ settings: { RATE_LIMIT_LOGINS_PER_MINUTE: 1_000 } })
const acme = await app.organization()
const password = 'correct horse battery staple'

/** A member of Acme with a password. */
async function withPassword(email: string) {
  const made = await person(app, acme.id, 'member', { email })
  const set = await made.call('POST', 'auth/password', { new_password: password })
  assert.deepEqual([set.status, set.body], [200, { message: 'Password changed successfully' }])
  return made
}

const login = (email: string, given = password) => app.call('POST', 'auth/login', { email, password: given })
const unauthorized = {
  detail: 'Unauthorized',
  error: {
    code: 'invalid_api_key',
    message: 'The API key or token is missing, malformed, unknown, expired or revoked',
    type: 'authentication_error',
  },
}

test('a person signs in with email and password; case and surrounding spaces of the email are ignored', async () => {
  const ada = await withPassword('Ada@Example.com')
  const answer = await login('  aDA@example.com ')
  assert.equal(answer.status, 200, answer.text)
  const { access_token, refresh_token, ...rest } = answer.body
  assert.deepEqual(rest, {
    token_type: 'Bearer',
    expires_in: 3600,
    organizations: [{ id: acme.id, name: 'Acme', role: 'member' }],
  })
  assert.equal(answer.headers['cache-control'], 'no-store')
  const me = await app.as(access_token)('GET', 'me')
  assert.equal(me.body.user.id, ada.id)
  assert.match(refresh_token, /^[0-9A-Za-z]{43}$/)
})

test('an unknown email, a wrong password and an account without one get the same response', async () => {
  await withPassword('wrong@example.com')
  const passwordless = await person(app, acme.id, 'member')
  for (const answer of [
    await login('nobody@example.com'),
    await login('wrong@example.com', 'not the password'),
    await login(passwordless.email),
    await login('no e-mail at all'),
  ]) {
    assert.equal(answer.status, 401)
    assert.deepEqual(answer.body, unauthorized)
    assert.equal(answer.headers['set-cookie'], undefined)
  }
})

test('an unknown email takes as much work as a wrong password', async () => {
  await withPassword('timing@example.com')
  // CPU time, not elapsed time, and the least of seven: whatever else runs only adds to it.
  const leastWork = async (email: string) => {
    const work: number[] = []
    for (let n = 0; n < 7; n++) {
      const before = process.cpuUsage()
      assert.equal((await login(email, 'not the password')).status, 401)
      work.push(process.cpuUsage(before).user / 1000)
    }
    return Math.min(...work)
  }
  const known = await leastWork('timing@example.com')
  const unknown = await leastWork('nobody at all@example.com')
  // Without the hashing it would be a tenth.
  assert.ok(unknown > known / 2, `unknown ${unknown} ms, known ${known} ms`)
})

test('login requires both members, as strings', async () => {
  for (const [body, loc] of [
    [{ password }, ['body', 'email']],
    [{ email: 'a@example.com' }, ['body', 'password']],
    [{ email: 1, password }, ['body', 'email']],
    [{ email: 'a\u0000@example.com', password }, ['body', 'email']],
  ] as const) {
    const answer = await app.call('POST', 'auth/login', body)
    assert.equal(answer.status, 422)
    assert.deepEqual(answer.body.detail[0].loc, loc)
  }
  assert.equal((await app.call('POST', 'auth/login')).status, 422)
  assert.equal((await app.call('POST', 'auth/login', 'email=a', { 'content-type': 'text/plain' })).status, 415)
  assert.equal((await app.call('POST', 'auth/login', '{', {})).status, 400)
})

const refresh = (refresh_token: string) => app.call('POST', 'auth/refresh', { refresh_token })

/** As if the token had been used that long ago. */
const spentBefore = (token: string, seconds: number) =>
  app.database.forSystem().run`
    update spent_refresh_tokens set spent_at = now() - make_interval(secs => ${seconds})
    where token_hash = ${hashToken(token)}`

test('a refresh token can be used once; two tabs that use it concurrently get the same next one', async () => {
  const grace = await person(app, acme.id, 'member')
  const refreshed = await Promise.all([1, 2, 3].map(() => refresh(grace.refreshToken)))
  const next: string = refreshed[0]?.body.refresh_token
  assert.match(next, /^[0-9A-Za-z]{43}$/)
  assert.notEqual(next, grace.refreshToken)
  for (const { status, body } of refreshed) {
    assert.equal(status, 200)
    assert.equal(body.refresh_token, next)
    assert.equal((await app.as(body.access_token)('GET', 'me')).body.user.id, grace.id)
  }
  const newest = (await refresh(next)).body.refresh_token
  assert.equal((await refresh(grace.refreshToken)).body.refresh_token, newest, 'a late tab gets the newest one')
  await spentBefore(grace.refreshToken, 5)
  assert.equal((await refresh(grace.refreshToken)).body.refresh_token, newest)
  for (const body of [{}, undefined, { refresh_token: 'unknown' }, { refresh_token: grace.token }])
    assert.deepEqual((await app.call('POST', 'auth/refresh', body)).body, unauthorized)
})

test('a refresh token that is reused after ten seconds ends the session and all its tokens', async () => {
  const victim = await person(app, acme.id, 'member')
  const elsewhere = await signInByLink(app, victim.id)
  const stolen = victim.refreshToken
  const second = (await refresh(stolen)).body
  const third = (await refresh(second.refresh_token)).body
  await spentBefore(stolen, 11)
  const reused = await refresh(stolen)
  assert.deepEqual([reused.status, reused.body], [401, unauthorized])
  for (const { access_token, refresh_token } of [second, third]) {
    assert.equal((await app.as(access_token)('GET', 'me')).status, 401)
    assert.equal((await refresh(refresh_token)).status, 401)
  }
  assert.equal((await victim.call('GET', 'me')).status, 401, 'the first access token is of the same session')
  assert.equal((await elsewhere.call('GET', 'me')).status, 200, 'other sessions of the person go on')
  assert.equal((await refresh(elsewhere.refreshToken)).status, 200)
})

test('a thief who refreshes within the grace period is detected at the next use', async () => {
  const victim = await person(app, acme.id, 'member')
  const mine = (await refresh(victim.refreshToken)).body.refresh_token
  const thiefs = (await refresh(victim.refreshToken)).body.refresh_token
  assert.equal((await refresh(thiefs)).status, 200)
  await spentBefore(mine, 11)
  assert.equal((await refresh(mine)).status, 401)
  assert.equal((await victim.call('GET', 'me')).status, 401)
})

test('a used refresh token still signs out', async () => {
  const leaving = await person(app, acme.id, 'member')
  const next = (await refresh(leaving.refreshToken)).body.refresh_token
  await spentBefore(leaving.refreshToken, 60)
  assert.equal((await app.call('POST', 'auth/logout', { refresh_token: leaving.refreshToken })).status, 200)
  assert.equal((await refresh(next)).status, 401)
})

test('after a logout neither the access token nor the refresh token works', async () => {
  const byAccess = await person(app, acme.id, 'member')
  const byRefresh = await person(app, acme.id, 'member')
  const other = await signInByLink(app, byAccess.id)
  const out = await byAccess.call('POST', 'auth/logout')
  assert.deepEqual([out.status, out.body], [200, { message: 'Signed out' }])
  assert.equal((await app.call('POST', 'auth/logout', { refresh_token: byRefresh.refreshToken })).status, 200)
  for (const gone of [byAccess, byRefresh]) {
    assert.equal((await gone.call('GET', 'me')).status, 401)
    assert.equal((await app.call('POST', 'auth/refresh', { refresh_token: gone.refreshToken })).status, 401)
    assert.equal((await gone.call('POST', 'auth/logout')).status, 401)
  }
  assert.equal((await other.call('GET', 'me')).status, 200, 'another session of the same person goes on')
  assert.equal((await app.call('POST', 'auth/logout')).status, 401)
  assert.equal((await acme.call('POST', 'auth/logout')).status, 401, 'a key has no session')
})

test('an expired session ends its tokens', async () => {
  const late = await person(app, acme.id, 'member')
  await app.database.forSystem()
    .run`update sessions set expires_at = now() - interval '1 second' where user_id = ${late.id}`
  assert.equal((await late.call('GET', 'me')).status, 401)
  assert.equal((await app.call('POST', 'auth/refresh', { refresh_token: late.refreshToken })).status, 401)
})

test('changing the password requires the current one and ends the other sessions', async () => {
  const email = 'change@example.com'
  const linked = await withPassword(email)
  const first = (await login(email)).body
  const second = (await login(email)).body
  const change = (body: object) => app.as(first.access_token)('POST', 'auth/password', body)
  const next = 'another long password'
  assert.deepEqual((await change({ new_password: next })).body.detail[0].loc, ['body', 'current_password'])
  const wrong = await change({ current_password: 'not the password', new_password: next })
  assert.equal(wrong.status, 422)
  assert.deepEqual(wrong.body.detail[0].loc, ['body', 'current_password'])
  assert.deepEqual((await change({ current_password: password, new_password: 'short' })).body.detail[0], {
    loc: ['body', 'new_password'],
    msg: 'new_password must have at least 12 characters',
    type: 'string_too_short',
  })
  assert.equal((await change({ current_password: password, new_password: next })).status, 200)
  assert.equal((await app.as(first.access_token)('GET', 'me')).status, 200)
  assert.equal((await app.as(second.access_token)('GET', 'me')).status, 401)
  assert.equal((await linked.call('GET', 'me')).status, 401)
  assert.equal((await login(email)).status, 401)
  assert.equal((await login(email, next)).status, 200)
})

test('after signing in with a fresh link, a person may set a password without the current one', async () => {
  const { id, email } = await withPassword('forgot@example.com')
  const back = await signInByLink(app, id)
  assert.equal((await back.call('POST', 'auth/password', { new_password: 'a new long password' })).status, 200)
  assert.equal((await login(email, 'a new long password')).status, 200)
  await app.database.forSystem().run`update sessions set created_at = now() - interval '16 minutes'`
  assert.equal((await back.call('POST', 'auth/password', { new_password: 'yet another password' })).status, 422)
})

test('keys have no password', async () => {
  const answer = await acme.call('POST', 'auth/password', { new_password: 'a new long password' })
  assert.deepEqual([answer.status, answer.body], [403, { detail: 'Only people have passwords' }])
  assert.equal((await app.call('POST', 'auth/password', { new_password: 'a new long password' })).status, 401)
})

test('a sign-in link works once, also with twenty concurrent requests', async () => {
  const { id } = await person(app, acme.id, 'owner')
  const token = await app.database.inSystem((tx) => createSignInLink(tx, id))
  const answers = await Promise.all(Array.from({ length: 20 }, () => app.call('POST', 'auth/link', { token })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(19).fill(401)])
  const won = answers.find(({ status }) => status === 200)
  assert.equal((await app.as(won?.body.access_token)('GET', 'me')).body.user.id, id)
  assert.equal((await app.call('POST', 'auth/link', { token })).status, 401)
})

test('a sign-in link expires after 15 minutes, and an unknown one is refused', async () => {
  const { id } = await person(app, acme.id, 'owner')
  const token = await app.database.inSystem((tx) => createSignInLink(tx, id))
  const Left = Type.Object({ seconds: Type.Number() })
  const { seconds } = await app.database.forSystem().one(Left)`
    select extract(epoch from expires_at - now())::float8 as seconds from sign_in_links where user_id = ${id}
      and used_at is null`
  // Stored in whole milliseconds, rounded.
  assert.ok(seconds > 14 * 60 && Math.floor(seconds) <= 15 * 60)
  await app.database.forSystem()
    .run`update sign_in_links set expires_at = now() - interval '1 second' where user_id = ${id}`
  assert.deepEqual((await app.call('POST', 'auth/link', { token })).body, unauthorized)
  assert.equal((await app.call('POST', 'auth/link', { token: 'x' })).status, 401)
  assert.equal((await app.call('POST', 'auth/link', {})).status, 422)
})

test('a person without an organization cannot sign in', async () => {
  const leaver = await withPassword('leaver@example.com')
  assert.equal((await leaver.call('DELETE', `members/${leaver.id}`)).status, 200)
  assert.equal((await leaver.call('GET', 'me')).status, 401)
  assert.equal((await login('leaver@example.com')).status, 401)
  assert.equal((await app.call('POST', 'auth/refresh', { refresh_token: leaver.refreshToken })).status, 401)
})

test('sign-in attempts are limited per address, across all nodes', async () => {
  const node = await app.node({ RATE_LIMIT_LOGINS_PER_MINUTE: 10, TRUST_PROXY: true })
  const second = await app.node({ RATE_LIMIT_LOGINS_PER_MINUTE: 10, TRUST_PROXY: true })
  const attempt = (n: number, email: string, address: string) =>
    (n % 2 ? node : second).call('POST', 'auth/login', { email, password: 'a guess' }, { 'x-forwarded-for': address })

  const byAddress = []
  for (let n = 0; n < 12; n++) byAddress.push((await attempt(n, `guess${n}@example.com`, '10.1.1.1')).status)
  assert.deepEqual(byAddress, [...Array(10).fill(401), 429, 429])
  await withPassword('limited@example.com')
  const right = { email: 'limited@example.com', password }
  const refused = await node.call('POST', 'auth/login', right, { 'x-forwarded-for': '10.1.1.1' })
  assert.equal(refused.status, 429, 'the right password is no way around')
  assert.equal(refused.body.error, 'rate_limit_exceeded')
  assert.ok(refused.body.retry_after >= 1 && refused.body.retry_after <= 60)
  assert.equal(refused.headers['retry-after'], String(refused.body.retry_after))
  // Addresses that a client adds before the proxy's entry, or takes from its own IPv6 network, do not help either.
  for (const address of [(n: number) => `192.0.2.${n}, 10.3.3.3`, (n: number) => `2001:db8:1:2::${n}`]) {
    const invented = []
    for (let n = 0; n < 12; n++) invented.push((await attempt(n, `try${n}@example.com`, address(n))).status)
    assert.deepEqual(invented, [...Array(10).fill(401), 429, 429])
  }
})

/** The device cookie that a response sets, as a browser sends it back. */
const deviceOf = ({ headers }: Reply) =>
  String([headers['set-cookie']].flat().find((each) => String(each).startsWith('frontdesk_device='))).split(';')[0] ??
  ''

test('an attacker who knows an email cannot lock its owner out, neither on a known device nor on a new one', async () => {
  const node = await app.node({ RATE_LIMIT_LOGINS_PER_MINUTE: 3, TRUST_PROXY: true })
  const email = 'target@example.com'
  await withPassword(email)
  const attempt = (given: string, address: string, cookie?: string) =>
    node.call(
      'POST',
      'auth/login',
      { email, password: given },
      { 'x-forwarded-for': address, ...(cookie && { cookie }) },
    )
  const device = deviceOf(await attempt(password, '192.0.2.1'))

  // From many addresses, and from the owner's own address.
  for (let n = 0; n < 4; n++) assert.equal((await attempt('a guess', `10.2.0.${n}`)).status, 401)
  for (let n = 0; n < 2; n++) assert.equal((await attempt('a guess', '192.0.2.1')).status, 401)
  assert.equal((await attempt('a guess', '192.0.2.1')).status, 429, 'this address has used its attempts')

  const known = await attempt(password, '192.0.2.1', device)
  assert.equal(known.status, 200, 'a device that signed in before is not held up by others')
  assert.equal(deviceOf(known), device, 'and stays the same device')
  assert.equal((await attempt(password, '198.51.100.7')).status, 200, 'a new device is slowed down, not refused')

  const made = (await attempt('a guess', '198.51.100.8', 'frontdesk_device=invented')).status
  assert.equal(made, 401, 'an invented cookie is an unknown device')
  for (let n = 0; n < 2; n++) assert.equal((await attempt('a guess', '192.0.2.1', device)).status, 401)
  const over = await attempt('a guess', '192.0.2.1', device)
  assert.equal(over.status, 429, 'a known device has as many attempts of its own, and no more')
})

test('attempts at one account from many addresses are delayed more and more, whether it exists or not', async () => {
  const waits: number[] = []
  const checks = {
    database: app.database,
    rateLimiter: createRateLimiter(app.database),
    attemptsPerMinute: 3,
    sendsMail: false,
    pause: async (ms: number) => void waits.push(ms),
  }
  await withPassword('slowed@example.com')
  for (const email of ['slowed@example.com', 'nobody-slowed@example.com']) {
    waits.length = 0
    for (let n = 0; n < 12; n++) {
      const attempt = {
        email: n % 2 ? email : ` ${email.toUpperCase()}`,
        password: 'a guess',
        deviceToken: undefined,
        userAgent: 'test',
      }
      await assert.rejects(checkPassword(checks, { ...attempt, address: `10.4.0.${n}` }), { status: 401 })
    }
    assert.deepEqual(waits, [250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000], email)
  }
})

test('failed attempts by others do not keep the owner from changing the password', async () => {
  const node = await app.node({ RATE_LIMIT_LOGINS_PER_MINUTE: 2, TRUST_PROXY: true })
  const email = 'changing@example.com'
  const owner = await withPassword(email)
  for (let n = 0; n < 4; n++)
    await node.call('POST', 'auth/login', { email, password: 'a guess' }, { 'x-forwarded-for': `10.5.0.${n >> 1}` })
  const { access_token } = (await login(email)).body
  const change = (current_password: string) =>
    node.as(access_token)(
      'POST',
      'auth/password',
      { current_password, new_password: 'another long password' },
      {
        'x-forwarded-for': '10.5.0.0',
      },
    )
  assert.equal((await change('a guess')).status, 422)
  assert.equal((await change(password)).status, 200)
  assert.equal((await owner.call('GET', 'me')).status, 401)
})
