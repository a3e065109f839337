import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { ok, startTestApp } from '../../../testing/app.ts'
import { listenLocally } from '../../../testing/listen-locally.ts'
import { person } from '../../../testing/people.ts'

/** A company's single sign-on service: a server with its public keys. */
const rsa = await generateKeyPair('RS256', { extractable: true })
const ec = await generateKeyPair('ES256', { extractable: true })
const stranger = await generateKeyPair('RS256')
const published = {
  keys: [
    { ...(await exportJWK(rsa.publicKey)), kid: 'rsa', alg: 'RS256', use: 'sig' },
    { ...(await exportJWK(ec.publicKey)), kid: 'ec', alg: 'ES256', use: 'sig' },
  ],
}
let isUp = true
let asked = 0
const jwks = createServer((_request, response) => {
  asked++
  if (!isUp) return void response.writeHead(500).end('down')
  response.setHeader('content-type', 'application/json').end(JSON.stringify(published))
})
const { url: jwksUrl } = await listenLocally(jwks)

const settings = {
  TRUSTED_ISSUER: 'https://login.corp.example',
  TRUSTED_AUDIENCE: 'frontdesk-at-corp',
  TRUSTED_JWKS_URL: `${jwksUrl}/keys`,
  RATE_LIMIT_LOGINS_PER_MINUTE: 1_000,
}
const app = await startTestApp({ settings })
const acme = await app.organization({ mode: 'live' })
const globex = await app.organization({ mode: 'live', name: 'Globex' })

let subjects = 0
const newClaims = (): JWTPayload & { sub: string; email: string } => {
  const sub = `employee-${++subjects}`
  return { sub, email: `${sub}@corp.example`, email_verified: true, name: 'Sue Sso' }
}
const token = (claims: JWTPayload, header = { alg: 'RS256', kid: 'rsa' }, key = rsa.privateKey) =>
  new SignJWT({
    iss: settings.TRUSTED_ISSUER,
    aud: settings.TRUSTED_AUDIENCE,
    exp: Math.floor(Date.now() / 1000) + 600,
    ...claims,
  })
    .setProtectedHeader(header)
    .sign(key)
const me = (text: string, headers = {}) => app.as(text)('GET', 'me', undefined, headers)
const invite = async (email: string, role = 'member', organization = acme) => {
  const invited = ok(await organization.call('POST', 'invitations', { email, role }), 201)
  return invited.link.split('=')[1] as string
}

test('an invited person with a verified email is admitted, and the invitation is used up', async () => {
  const claims = newClaims()
  const invitation = await invite(claims.email.toUpperCase(), 'admin')
  const { email, name, role, id } = ok(await me(await token(claims))).user
  assert.deepEqual([email, name, role], [claims.email, 'Sue Sso', 'admin'])
  const again = await app.call('POST', 'invitations/accept', { token: invitation, password: 'a long enough password' })
  assert.equal(again.status, 404)
  // From now on the subject identifies the person, whatever the email.
  const later = await me(
    await token({ sub: claims.sub, email: 'other@corp.example' }, { alg: 'ES256', kid: 'ec' }, ec.privateKey),
  )
  assert.equal(later.body.user.id, id)
})

test('ten concurrent first requests create one person', async () => {
  const claims = newClaims()
  await invite(claims.email)
  const tokens = await Promise.all(Array.from({ length: 10 }, (_, n) => token({ ...claims, n })))
  const answers = await Promise.all(tokens.map((each) => me(each)))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  assert.equal(new Set(answers.map(({ body }) => body.user.id)).size, 1)
})

test('without an invitation, or with an unverified email, the person is refused', async () => {
  assert.equal((await me(await token(newClaims()))).status, 401)
  for (const changes of [
    { email_verified: false },
    { email_verified: 'true' },
    { email_verified: undefined },
    { email: undefined },
  ]) {
    const claims = newClaims()
    await invite(claims.email)
    assert.equal((await me(await token({ ...claims, ...changes }))).status, 401, JSON.stringify(changes))
  }
  const expired = newClaims()
  await invite(expired.email)
  await app.database.forSystem()
    .run`update invitations set expires_at = now() - interval '1 second' where email = ${expired.email}`
  assert.equal((await me(await token(expired))).status, 401)
})

test('a token that the issuer did not issue for us is refused', async () => {
  const claims = newClaims()
  await invite(claims.email)
  const now = Math.floor(Date.now() / 1000)
  const refused = async (forged: string, why: string) => assert.equal((await me(forged)).status, 401, why)
  await refused(await token({ ...claims, aud: 'another service' }), 'wrong audience')
  await refused(await token({ ...claims, aud: 'frontdesk' }), 'our own audience')
  await refused(await token({ ...claims, iss: 'https://login.evil.example' }), 'wrong issuer')
  await refused(await token({ ...claims, iss: 'frontdesk', aud: 'frontdesk', sid: claims.sub }), 'posing as us')
  await refused(await token({ ...claims, exp: now - 60 }), 'expired')
  await refused(await token({ ...claims, exp: undefined } as never), 'no expiry')
  await refused(await token({ ...claims, nbf: now + 3_600 }), 'not yet valid')
  await refused(await token({ ...claims, sub: undefined } as never), 'no subject')
  await refused(await token({ ...claims, sub: 's'.repeat(256) }), 'an endless subject')
  await refused(await token(claims, undefined, stranger.privateKey), 'a stranger’s key')
  await refused(await token(claims, { alg: 'RS256', kid: 'unknown' }, stranger.privateKey), 'an unknown kid')
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const body = encode({ ...claims, iss: settings.TRUSTED_ISSUER, aud: settings.TRUSTED_AUDIENCE, exp: now + 600 })
  await refused(`${encode({ alg: 'none' })}.${body}.`, 'alg none')
  for (const secret of [JSON.stringify(published.keys[0]), published.keys[0]?.n as string]) {
    const signed = `${encode({ alg: 'HS256', kid: 'rsa' })}.${body}`
    await refused(`${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`, 'HS256')
  }
  assert.equal((await me(await token(claims))).status, 200)
})

test('a password account created earlier with the same email loses its access', async () => {
  const claims = newClaims()
  const password = 'the squatter’s password'
  const squatter = ok(
    await app.call('POST', 'invitations/accept', {
      token: await invite(claims.email, 'member', globex),
      password,
    }),
  )
  await invite(claims.email, 'admin')
  const real = await me(await token(claims), { organization_id: acme.id })
  assert.equal(real.body.user.role, 'admin', real.text)
  assert.equal((await me(squatter.access_token, { organization_id: acme.id })).status, 401)
  assert.equal((await app.call('POST', 'auth/login', { email: claims.email, password })).status, 401)
  assert.equal((await app.call('POST', 'auth/refresh', { refresh_token: squatter.refresh_token })).status, 401)
})

test('people of the issuer have no password and no session of ours', async () => {
  const claims = newClaims()
  await invite(claims.email)
  const call = app.as(await token(claims))
  assert.equal((await call('GET', 'me')).status, 200)
  assert.equal((await call('POST', 'auth/password', { new_password: 'a new long password' })).status, 403)
  assert.equal((await call('POST', 'auth/logout')).status, 200)
  const invitation = await invite(claims.email, 'member', globex)
  assert.equal(
    (await app.call('POST', 'invitations/accept', { token: invitation, password: 'a new long password' })).status,
    401,
  )
  const joined = await call('POST', 'invitations/accept', { token: invitation })
  assert.deepEqual([joined.status, joined.body.access_token, joined.body.refresh_token], [200, null, null])
  assert.equal((await call('GET', 'me', undefined, { organization_id: globex.id })).status, 200)
})

test('a removed member is refused, whatever the issuer says', async () => {
  const claims = newClaims()
  await invite(claims.email)
  const { body } = await me(await token(claims))
  assert.equal((await acme.call('DELETE', `members/${body.user.id}`)).status, 200)
  assert.equal((await me(await token(claims))).status, 401)
})

test('people with a password sign in as before, and the issuer cannot use our own issuer name', async () => {
  const ada = await person(app, acme.id, 'owner')
  assert.equal((await ada.call('GET', 'me')).status, 200)
  const other = await startTestApp()
  assert.equal((await other.as(await token(newClaims()))('GET', 'me')).status, 401)
})

test('while the issuer’s keys are unavailable its tokens get a 503, and all other credentials work', async () => {
  const node = await app.node()
  const claims = newClaims()
  await invite(claims.email)
  isUp = false
  const down = await node.as(await token(claims))('GET', 'me')
  assert.equal(down.status, 503)
  assert.match(down.body.detail, /^Service Unavailable/)
  assert.equal((await node.as(acme.key)('GET', 'me')).status, 200)
  assert.equal((await me(await token(claims))).status, 200, 'a node that has the keys needs no second look')
  isUp = true
  assert.equal((await node.as(await token(claims))('GET', 'me')).status, 200)
  const unreachable = await app.node({ TRUSTED_JWKS_URL: 'http://127.0.0.1:1/keys' })
  assert.equal((await unreachable.as(await token(claims))('GET', 'me')).status, 503)
})

test('forged tokens do not cause repeated requests to the issuer', async () => {
  const before = asked
  for (let n = 0; n < 20; n++)
    assert.equal(
      (await me(await token(newClaims(), { alg: 'RS256', kid: `forged-${n}` }, stranger.privateKey))).status,
      401,
    )
  assert.ok(asked - before <= 1, `asked ${asked - before} times`)
})
