import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { newId } from '../../../platform/ids.ts'
import { bodyOf, startTestApp } from '../../../testing/app.ts'
import { dnsServer } from '../../../testing/dns-server.ts'
import { listenLocally } from '../../../testing/listen-locally.ts'
import { testAuthenticator } from '../../../testing/passkeys.ts'
import { person } from '../../../testing/people.ts'
import { until } from '../../../testing/process.ts'
import { checkDomainsJob } from './jobs.ts'

const keys = await generateKeyPair('RS256')
const published = { keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'rsa', alg: 'RS256', use: 'sig' }] }
const jwks = createServer((_request, response) => response.end(JSON.stringify(published)))
const { url: jwksUrl } = await listenLocally(jwks)

const dns = await dnsServer()
const app = await startTestApp({
  settings: {
    TRUSTED_ISSUER: 'https://login.corp.example',
    TRUSTED_AUDIENCE: 'frontdesk',
    TRUSTED_JWKS_URL: `${jwksUrl}/keys`,
    DNS_SERVERS: [dns.address],
  },
})
const acme = await app.organization({ mode: 'live' })
const globex = await app.organization({ mode: 'live', name: 'Globex' })

async function me(claims: JWTPayload) {
  const token = await new SignJWT({ iss: 'https://login.corp.example', aud: 'frontdesk', ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: 'rsa' })
    .setExpirationTime('10m')
    .sign(keys.privateKey)
  return app.as(token)('GET', 'me')
}
let domains = 0
const newDomain = () => `corp${++domains}.example`

async function addVerified(domain: string, role = 'member', { call } = acme) {
  const { id, record_name, record_value } = bodyOf(await call('POST', 'domains', { domain, role }))
  dns.records.set(record_name, record_value)
  return bodyOf(await call('POST', `domains/${id}/verify`))
}

test('a domain is added, verified by a TXT record and listed', async () => {
  const domain = newDomain()
  const added = await acme.call('POST', 'domains', { domain: domain.toUpperCase(), role: 'member' })
  assert.equal(added.status, 201, added.text)
  const { id, record_name, record_value, ...rest } = added.body
  assert.deepEqual([rest.domain, rest.role, rest.verified_at], [domain, 'member', null])
  assert.equal(record_name, `_frontdesk.${domain}`)
  assert.match(record_value, /^frontdesk-verification=\w{20}$/)
  const early = await acme.call('POST', `domains/${id}/verify`)
  assert.equal(early.status, 409)
  assert.match(early.body.detail, new RegExp(`There is no TXT record _frontdesk.${domain}`))
  dns.records.set(record_name, 'frontdesk-verification=of-another-organization')
  assert.equal((await acme.call('POST', `domains/${id}/verify`)).status, 409)
  dns.records.set(record_name, record_value)
  const verified = bodyOf(await acme.call('POST', `domains/${id}/verify`))
  assert.ok(verified.verified_at)
  const { last_checked_at, ...again } = bodyOf(await acme.call('POST', `domains/${id}/verify`))
  assert.deepEqual({ ...again, last_checked_at: verified.last_checked_at }, verified)
  assert.deepEqual(bodyOf(await acme.call('GET', 'domains')).data[0], { ...again, last_checked_at })
  assert.equal((await acme.call('POST', 'domains', { domain, role: 'admin' })).status, 409)
})

test('a person with a verified email of the domain joins without an invitation, with its role', async () => {
  const domain = newDomain()
  const email = `sue@${domain}`
  assert.equal((await me({ sub: 'early', email, email_verified: true })).status, 401)
  const { id } = bodyOf(await acme.call('POST', 'domains', { domain, role: 'admin' }))
  assert.equal(
    (await me({ sub: 'early', email, email_verified: true })).status,
    401,
    'an unverified domain admits no one',
  )
  bodyOf(await acme.call('DELETE', `domains/${id}`))
  await addVerified(domain, 'admin')
  assert.equal((await me({ sub: 'unverified', email })).status, 401)
  assert.equal((await me({ sub: 'sub', email: `sue@sub.${domain}`, email_verified: true })).status, 401)
  assert.equal((await me({ sub: 'trick', email: `${domain}@other.example`, email_verified: true })).status, 401)
  const joined = bodyOf(
    await me({ sub: 'sue', email: `Sue@${domain.toUpperCase()}`, email_verified: true, name: 'Sue' }),
  )
  assert.deepEqual([joined.organization.id, joined.user.role], [acme.id, 'admin'])
  const { data } = bodyOf(await acme.call('GET', 'audit-log?action=member.created'))
  assert.equal(data[0].object_name, joined.user.email)
  assert.deepEqual([data[0].actor_id, data[0].ip_address], [joined.user.id, '127.0.0.1'])
})

test('an invitation decides the role, and a deleted domain admits no one', async () => {
  const domain = newDomain()
  const { id } = await addVerified(domain, 'member')
  const email = `ivy@${domain}`
  bodyOf(await acme.call('POST', 'invitations', { email, role: 'admin' }))
  assert.equal(bodyOf(await me({ sub: 'ivy', email, email_verified: true })).user.role, 'admin')
  bodyOf(await acme.call('DELETE', `domains/${id}`))
  assert.equal((await me({ sub: 'late', email: `late@${domain}`, email_verified: true })).status, 401)
  assert.equal(bodyOf(await me({ sub: 'ivy', email, email_verified: true })).user.role, 'admin', 'members stay')
})

test('a removed member joins again only by an invitation', async () => {
  const domain = newDomain()
  await addVerified(domain)
  const email = `rex@${domain}`
  const { user } = bodyOf(await me({ sub: 'rex', email, email_verified: true }))
  bodyOf(await acme.call('DELETE', `members/${user.id}`))
  assert.equal((await me({ sub: 'rex', email, email_verified: true })).status, 401)
  assert.equal((await me({ sub: 'rex again', email, email_verified: true })).status, 401)
  bodyOf(await me({ sub: 'roy', email: `roy@${domain}`, email_verified: true }))
  bodyOf(await acme.call('POST', 'invitations', { email, role: 'member' }))
  assert.equal(bodyOf(await me({ sub: 'rex again', email, email_verified: true })).user.id, user.id)
})

test('a passkey of an earlier account with that email no longer signs in', async () => {
  const domain = newDomain()
  const email = `old@${domain}`
  const earlier = await person(app, globex.id, 'member', { email })
  const authenticator = testAuthenticator()
  const options = bodyOf(await earlier.call('POST', 'auth/passkeys/options', {}))
  const response = authenticator.create(options, 'http://localhost')
  bodyOf(await earlier.call('POST', 'auth/passkeys', { name: 'Old laptop', response }))
  const enter = async () => {
    const challenge = bodyOf(await app.call('POST', 'auth/passkey/options'))
    return app.call('POST', 'auth/passkey', { response: authenticator.get(challenge, 'http://localhost') })
  }
  assert.equal((await enter()).status, 200)
  await addVerified(domain)
  bodyOf(await me({ sub: 'old', email, email_verified: true }))
  assert.equal((await enter()).status, 401)
})

test('a verified domain is checked every day; a missing record is a warning for a week, then the end', async () => {
  const domain = newDomain()
  const { id, record_name, record_value } = await addVerified(domain)
  const sql = app.database.forSystem()
  const find = async () => bodyOf(await acme.call('GET', 'domains')).data.find((each: { id: string }) => each.id === id)
  const back = (days: number) => sql.run`
    update domains set last_checked_at = last_checked_at - make_interval(days => ${days}),
      failing_since = failing_since - make_interval(days => ${days}) where id = ${id}`
  const check = async () => {
    const before = await find()
    await app.database.inSystem((tx) => tx.enqueue(checkDomainsJob, {}))
    await until(async () => (await find()).last_checked_at !== before.last_checked_at)
    return find()
  }
  const join = async (sub: string) => (await me({ sub, email: `${sub}@${domain}`, email_verified: true })).status
  await back(1)
  assert.equal((await check()).failing_since, null)
  dns.records.delete(record_name)
  await back(1)
  const failing = await check()
  assert.ok(failing.failing_since && failing.verified_at)
  assert.equal(await join('warned'), 200)
  dns.records.set(record_name, record_value)
  await back(1)
  assert.equal((await check()).failing_since, null, 'the record is back')
  dns.records.delete(record_name)
  await back(1)
  await check()
  await back(8)
  const ended = await check()
  assert.deepEqual([ended.verified_at, ended.failing_since !== null], [null, true])
  assert.equal(await join('late'), 401)
  const { data } = bodyOf(await acme.call('GET', `audit-log?object_id=${id}`))
  assert.deepEqual([data[0].actor_type, Object.keys(data[0].current)], ['system', ['verified_at']])
  dns.records.set(record_name, record_value)
  const verified = bodyOf(await acme.call('POST', `domains/${id}/verify`))
  assert.deepEqual([verified.failing_since, await join('back')], [null, 200])
})

test('a domain belongs to the organization that verified it first', async () => {
  const domain = newDomain()
  await addVerified(domain)
  const { id, record_name, record_value } = bodyOf(await globex.call('POST', 'domains', { domain, role: 'member' }))
  dns.records.set(record_name, record_value)
  const second = await globex.call('POST', `domains/${id}/verify`)
  assert.deepEqual([second.status, second.body.detail], [409, `${domain} has been verified by another organization`])
  assert.equal((await acme.call('POST', `domains/${id}/verify`)).status, 404)
  assert.equal((await acme.call('DELETE', `domains/${id}`)).status, 404)
  assert.equal(bodyOf(await globex.call('GET', 'domains')).data[0].id, id)
})

test('members, limited keys and test keys manage no domains, and malformed ones are refused', async () => {
  const member = await person(app, acme.id, 'member')
  const limited = app.as((await app.key(acme.id, { mode: 'live', scopes: ['contacts:read'] })).secret)
  const testKey = app.as((await app.key(acme.id)).secret)
  const body = { domain: newDomain(), role: 'member' }
  for (const call of [member.call, limited, testKey]) assert.equal((await call('POST', 'domains', body)).status, 403)
  for (const path of ['domains', `domains/${newId()}/verify`])
    assert.equal((await app.call(path === 'domains' ? 'GET' : 'POST', path)).status, 401)
  assert.equal((await acme.call('POST', `domains/${newId()}/verify`)).status, 404)
  for (const domain of [
    'example',
    'a@example.com',
    'exa mple.com',
    '-a.example',
    '127.0.0.1',
    `${'a'.repeat(64)}.com`,
    '',
  ])
    assert.equal((await acme.call('POST', 'domains', { domain, role: 'member' })).status, 422, domain)
  assert.equal((await acme.call('POST', 'domains', { domain: 'x.example', role: 'owner' })).status, 422)
  assert.equal((await acme.call('GET', 'domains?limit=0')).status, 422)
})
