import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { startTestApp } from '../../../testing/app.ts'
import { person, signInByLink } from '../../../testing/people.ts'
import { createSignInLink } from '../create-sign-in-link.ts'

const app = await startTestApp({ settings: { RATE_LIMIT_LOGINS_PER_MINUTE: 1_000 } })
const acme = await app.organization()
const password = 'correct horse battery staple'

/** Somebody of Acme with a password. */
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

test('a person signs in with e-mail and password, in any case and with spaces around', async () => {
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

test('an unknown e-mail, a wrong password and an account without one get the same answer', async () => {
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

test('an unknown e-mail takes as much work as a wrong password', async () => {
  await withPassword('timing@example.com')
  const median = async (email: string) => {
    const times: number[] = []
    for (let n = 0; n < 7; n++) {
      const startedAt = performance.now()
      assert.equal((await login(email, 'not the password')).status, 401)
      times.push(performance.now() - startedAt)
    }
    return times.sort((a, b) => a - b)[3] as number
  }
  const known = await median('timing@example.com')
  const unknown = await median('nobody at all@example.com')
  // Without the hashing it would be a tenth.
  assert.ok(unknown > known / 2, `unknown ${unknown} ms, known ${known} ms`)
})

test('login wants both members, as text', async () => {
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

test('a refresh token brings new access tokens, also twice at once', async () => {
  const grace = await person(app, acme.id, 'member')
  const refreshed = await Promise.all(
    [1, 2].map(() => app.call('POST', 'auth/refresh', { refresh_token: grace.refreshToken })),
  )
  for (const { status, body } of refreshed) {
    assert.equal(status, 200)
    assert.equal(body.refresh_token, grace.refreshToken)
    assert.equal((await app.as(body.access_token)('GET', 'me')).body.user.id, grace.id)
  }
  for (const body of [{}, undefined, { refresh_token: 'unknown' }, { refresh_token: grace.token }])
    assert.deepEqual((await app.call('POST', 'auth/refresh', body)).body, unauthorized)
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
  await app.database.forSystem().run`update sessions set expires_at = now() where user_id = ${late.id}`
  assert.equal((await late.call('GET', 'me')).status, 401)
  assert.equal((await app.call('POST', 'auth/refresh', { refresh_token: late.refreshToken })).status, 401)
})

test('a password is changed with the current one, and the other sessions end', async () => {
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

test('whoever comes by a fresh link may set a password without the forgotten one', async () => {
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

test('a sign-in link works once, also for twenty at the same moment', async () => {
  const { id } = await person(app, acme.id, 'owner')
  const token = await app.database.inSystem((tx) => createSignInLink(tx, id))
  const answers = await Promise.all(Array.from({ length: 20 }, () => app.call('POST', 'auth/link', { token })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(19).fill(401)])
  const won = answers.find(({ status }) => status === 200)
  assert.equal((await app.as(won?.body.access_token)('GET', 'me')).body.user.id, id)
  assert.equal((await app.call('POST', 'auth/link', { token })).status, 401)
})

test('a sign-in link lives 15 minutes, and an unknown one never worked', async () => {
  const { id } = await person(app, acme.id, 'owner')
  const token = await app.database.inSystem((tx) => createSignInLink(tx, id))
  const Left = Type.Object({ seconds: Type.Number() })
  const { seconds } = await app.database.forSystem().one(Left)`
    select extract(epoch from expires_at - now())::float8 as seconds from sign_in_links where user_id = ${id}
      and used_at is null`
  assert.ok(seconds > 14 * 60 && seconds <= 15 * 60)
  await app.database.forSystem().run`update sign_in_links set expires_at = now() where user_id = ${id}`
  assert.deepEqual((await app.call('POST', 'auth/link', { token })).body, unauthorized)
  assert.equal((await app.call('POST', 'auth/link', { token: 'x' })).status, 401)
  assert.equal((await app.call('POST', 'auth/link', {})).status, 422)
})

test('somebody who belongs nowhere any more cannot sign in', async () => {
  const leaver = await withPassword('leaver@example.com')
  assert.equal((await leaver.call('DELETE', `members/${leaver.id}`)).status, 200)
  assert.equal((await leaver.call('GET', 'me')).status, 401)
  assert.equal((await login('leaver@example.com')).status, 401)
  assert.equal((await app.call('POST', 'auth/refresh', { refresh_token: leaver.refreshToken })).status, 401)
})

test('sign-in attempts are limited for each account and for each address, on all nodes together', async () => {
  const node = await app.node({ RATE_LIMIT_LOGINS_PER_MINUTE: 10, TRUST_PROXY: true })
  const second = await app.node({ RATE_LIMIT_LOGINS_PER_MINUTE: 10, TRUST_PROXY: true })
  await withPassword('limited@example.com')
  const attempt = (n: number, email: string, address: string) =>
    (n % 2 ? node : second).call('POST', 'auth/login', { email, password: 'a guess' }, { 'x-forwarded-for': address })

  const byAccount = []
  for (let n = 0; n < 12; n++) byAccount.push((await attempt(n, 'limited@example.com', `10.0.0.${n}`)).status)
  assert.deepEqual(byAccount, [...Array(10).fill(401), 429, 429])
  // The right password is no way around, nor is another spelling.
  const right = await node.call('POST', 'auth/login', { email: ' LIMITED@example.com', password })
  assert.equal(right.status, 429)
  assert.equal(right.body.error, 'rate_limit_exceeded')
  assert.ok(right.body.retry_after >= 1 && right.body.retry_after <= 60)
  assert.equal(right.headers['retry-after'], String(right.body.retry_after))

  const byAddress = []
  for (let n = 0; n < 12; n++) byAddress.push((await attempt(n, `guess${n}@example.com`, '10.1.1.1')).status)
  assert.deepEqual(byAddress, [...Array(10).fill(401), 429, 429])
  // Nor are addresses that a client invents before the proxy adds the true one, or takes from its own IPv6 network.
  for (const address of [(n: number) => `192.0.2.${n}, 10.3.3.3`, (n: number) => `2001:db8:1:2::${n}`]) {
    const invented = []
    for (let n = 0; n < 12; n++) invented.push((await attempt(n, `try${n}@example.com`, address(n))).status)
    assert.deepEqual(invented, [...Array(10).fill(401), 429, 429])
  }
})
