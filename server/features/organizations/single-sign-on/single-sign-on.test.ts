import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSettings } from '../../../config.ts'
import { ok, type Reply, startTestApp } from '../../../testing/app.ts'
import { dnsServer } from '../../../testing/dns-server.ts'
import { startOpenIdProvider } from '../../../testing/openid-provider.ts'

const provider = await startOpenIdProvider()
const dns = await dnsServer()
const oidc = {
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: provider.clientId,
  OIDC_CLIENT_SECRET: provider.clientSecret,
  OIDC_NAME: 'Acme ID',
  PUBLIC_URL: 'https://desk.example.com',
  RATE_LIMIT_LOGINS_PER_MINUTE: 1_000,
  DNS_SERVERS: [dns.address],
}
const app = await startTestApp({ settings: oidc })
const acme = await app.organization({ mode: 'live' })

const host = { host: 'desk.example.com', 'x-forwarded-proto': 'https' }
const cookiesOf = ({ headers }: Reply) =>
  [headers['set-cookie'] ?? []].flat().map((line) => String(line).split(';', 1)[0] as string)
const placeOf = ({ status, headers }: Reply) => {
  assert.equal(status, 302)
  return String(headers.location)
}

/** To the provider; returns where it sends the browser back to, and the cookie that the browser kept. */
async function begin() {
  const started = await app.call('GET', '/auth/single-sign-on', undefined, host)
  const [cookie = ''] = cookiesOf(started)
  const answer = await fetch(placeOf(started), { redirect: 'manual' })
  const back = new URL(answer.headers.get('location') as string)
  assert.equal(back.origin + back.pathname, 'https://desk.example.com/auth/single-sign-on/callback')
  return { cookie, back: back.pathname + back.search, started }
}
const finish = ({ cookie, back }: { cookie: string; back: string }) =>
  app.call('GET', back, undefined, { ...host, cookie })

let people = 0
const newPerson = () => {
  const sub = `person-${++people}`
  provider.person = { sub, email: `${sub}@corp.example`, email_verified: true, name: 'Sue Sso' }
  return { sub, email: `${sub}@corp.example` }
}
const invite = (email: string, role = 'member') => acme.call('POST', 'invitations', { email, role })

/** The signed-in person's own calls, by the cookies of the console. */
async function signIn() {
  const entered = await finish(await begin())
  assert.equal(placeOf(entered), '/')
  const cookie = cookiesOf(entered)
    .filter((each) => !each.endsWith('='))
    .join('; ')
  const headers = { ...host, cookie, origin: 'https://desk.example.com', 'x-frontdesk': '1' }
  return (method: string, path: string, body?: object, more = {}) =>
    app.call(method, path, body, { ...headers, ...more })
}

test('the sign-in page knows the provider', async () => {
  const { body } = await app.call('GET', 'auth/options', undefined, host)
  assert.deepEqual(body.single_sign_on, { name: 'Acme ID', url: '/auth/single-sign-on' })
})

test('an invited person signs in by redirect, as often as they like', async () => {
  const { email } = newPerson()
  await invite(email, 'admin')
  const call = await signIn()
  const me = ok(await call('GET', 'me'))
  const { id, role, uses_single_sign_on } = me.user
  assert.deepEqual([me.user.email, role, uses_single_sign_on], [email, 'admin', true])
  const [session] = (await call('GET', 'auth/sessions')).body.data
  assert.equal(session.signed_in_by, 'single_sign_on')
  assert.equal((await (await signIn())('GET', 'me')).body.user.id, id)
})

test('the audit log says who signed in by redirect, and from where', async () => {
  const { email } = newPerson()
  await invite(email)
  const { id } = (await (await signIn())('GET', 'me')).body.user
  for (const action of ['session.created', 'member.created']) {
    const { data } = (await acme.call('GET', `audit-log?action=${action}&actor_id=${id}`)).body
    const seen = data.map(({ actor_type, actor_name, ip_address }: Record<string, unknown>) => [
      actor_type,
      actor_name,
      ip_address,
    ])
    assert.deepEqual(seen, [['user', 'Sue Sso', '127.0.0.1']], action)
    assert.ok(data[0].request_id)
  }
})

test('an invited person with limited access joins by redirect and sees nothing else from the first request on', async () => {
  const { email } = newPerson()
  const team = (await acme.call('POST', 'teams', { name: 'Returns' })).body
  const access = { channel_ids: [], team_ids: [team.id] }
  ok(await acme.call('POST', 'invitations', { email, role: 'member', access }), 201)
  const inTest = app.as((await app.key(acme.id)).secret)
  const open = async (number: string) => {
    const contact = (await inTest('POST', 'contacts', { phone_number: number })).body
    return (await inTest('POST', 'inbox/tickets', { contact_id: contact.id })).body
  }
  const [seen, hidden] = [await open('+14155550171'), await open('+14155550172')]
  assert.equal((await inTest('PUT', `inbox/tickets/${seen.id}/team`, { team_id: team.id })).status, 200)
  const call = await signIn()
  const test = { 'x-mode': 'test' }
  const { id } = (await call('GET', 'me')).body.user
  assert.deepEqual((await acme.call('GET', `members/${id}`)).body.access, access)
  const { inboxes } = (await call('GET', 'inbox/tickets', undefined, test)).body
  assert.deepEqual(
    inboxes.map(({ id }: { id: string }) => id),
    [seen.id],
  )
  assert.equal((await call('GET', `inbox/tickets/${hidden.id}`, undefined, test)).status, 404)
  // Signing in again does not widen it.
  assert.equal((await (await signIn())('GET', `inbox/tickets/${hidden.id}`, undefined, test)).status, 404)
})

test('the cookie that binds the attempt to the browser is short-lived and scripts cannot read it', async () => {
  newPerson()
  const { started } = await begin()
  const [line] = [started.headers['set-cookie'] ?? []].flat()
  for (const attribute of [
    '__Secure-',
    'HttpOnly',
    'Secure',
    'SameSite=Lax',
    'Max-Age=600',
    'Path=/auth/single-sign-on',
  ])
    assert.ok(String(line).includes(attribute), attribute)
  const asked = new URL(placeOf(started)).searchParams
  assert.equal(asked.get('code_challenge_method'), 'S256')
  assert.ok(!String(line).includes(asked.get('state') as string), 'its content is encrypted')
})

test('a person of a verified domain joins with its role; the provider decides about second factors', async () => {
  const { body: domain } = await acme.call('POST', 'domains', { domain: 'corp.example', role: 'supervisor' })
  dns.records.set(domain.record_name, domain.record_value)
  assert.equal((await acme.call('POST', `domains/${domain.id}/verify`)).status, 200)
  newPerson()
  const call = await signIn()
  assert.equal((await call('GET', 'me')).body.user.role, 'supervisor')
  await app.database.forSystem().run`update organizations set requires_second_factor = true where id = ${acme.id}`
  const other = await signIn()
  assert.equal((await other('GET', 'contacts')).status, 200)
  for (const [path, body] of [
    ['auth/password', { new_password: 'a long enough password' }],
    ['auth/authenticator', {}],
    ['auth/passkeys/options', {}],
  ] as const)
    assert.equal((await other('POST', path, body)).status, 403, path)
  await app.database.forSystem().run`update organizations set requires_second_factor = false where id = ${acme.id}`
  await acme.call('DELETE', `domains/${domain.id}`)
})

test('a member who was removed, a stranger and an unverified email are not admitted', async () => {
  newPerson()
  assert.equal(placeOf(await finish(await begin())), '/#sign-in-error=not_admitted')
  const { email } = newPerson()
  await invite(email)
  provider.claims = { email_verified: false }
  assert.equal(placeOf(await finish(await begin())), '/#sign-in-error=not_admitted')
  provider.claims = {}
  const { id } = (await (await signIn())('GET', 'me')).body.user
  assert.equal((await acme.call('DELETE', `members/${id}`)).status, 200)
  assert.equal(placeOf(await finish(await begin())), '/#sign-in-error=not_admitted')
})

test('a refusal of the provider, a wrong state, a used attempt and an expired code are named', async () => {
  const { email } = newPerson()
  await invite(email)
  const attempt = await begin()
  const refusal = async (given: { cookie: string; back: string }) => placeOf(await finish(given))
  assert.equal(await refusal({ ...attempt, cookie: '' }), '/#sign-in-error=expired')
  assert.equal(
    await refusal({ ...attempt, cookie: attempt.cookie.replace(/=.{8}/, '=AAAAAAAA') }),
    '/#sign-in-error=expired',
  )
  const other = await begin()
  assert.equal(await refusal({ cookie: attempt.cookie, back: other.back }), '/#sign-in-error=mismatch')
  provider.forgetCodes()
  assert.equal(await refusal(attempt), '/#sign-in-error=expired')
  const again = await begin()
  assert.equal(await refusal(again), '/')
  assert.equal(await refusal(again), '/#sign-in-error=expired', 'a code works once')
  provider.person = undefined
  assert.equal(await refusal(await begin()), '/#sign-in-error=denied')
})

test('an ID token for another client, nonce or issuer signs no one in', async () => {
  const { email } = newPerson()
  await invite(email)
  for (const claims of [{ aud: 'another' }, { nonce: 'another' }, { iss: 'https://evil.example' }, { exp: 1 }]) {
    provider.claims = claims
    assert.equal(placeOf(await finish(await begin())), '/#sign-in-error=failed', JSON.stringify(claims))
  }
  provider.claims = {}
})

test('a provider that is down is named, before and after the redirect, and works again afterwards', async () => {
  const { email } = newPerson()
  await invite(email)
  const attempt = await begin()
  provider.isDown = true
  assert.equal(placeOf(await finish(attempt)), '/#sign-in-error=unavailable')
  const node = await app.node()
  const started = await node.call('GET', '/auth/single-sign-on', undefined, host)
  assert.equal(placeOf(started), '/#sign-in-error=unavailable')
  provider.isDown = false
  assert.match(placeOf(await node.call('GET', '/auth/single-sign-on', undefined, host)), /\/authorize\?/)
  await signIn()
})

test('too many attempts from one address are refused', async () => {
  const node = await app.node({ RATE_LIMIT_LOGINS_PER_MINUTE: 2 })
  const places = await Promise.all(
    Array.from({ length: 8 }, async () => placeOf(await node.call('GET', '/auth/single-sign-on', undefined, host))),
  )
  assert.ok(places.includes('/#sign-in-error=too_many'))
})

test('without the settings there is no such route, and incomplete ones are refused', async () => {
  const node = await app.node({ OIDC_ISSUER: undefined, OIDC_CLIENT_ID: undefined })
  assert.equal((await node.call('GET', 'auth/options', undefined, host)).body.single_sign_on, null)
  for (const [env, words] of [
    [{ OIDC_ISSUER: 'https://id.example' }, /OIDC_ISSUER and OIDC_CLIENT_ID go together/],
    [{ OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'a' }, /OIDC_ISSUER requires PUBLIC_URL/],
    [
      { OIDC_ISSUER: 'http://id.example', OIDC_CLIENT_ID: 'a', PUBLIC_URL: 'https://desk.example' },
      /OIDC_ISSUER must be a valid https: URL/,
    ],
  ] as const)
    assert.throws(() => readSettings({ SECRET_KEY: 'x'.repeat(32), ...env }), words)
})
