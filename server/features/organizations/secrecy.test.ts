import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import Type from 'typebox'
import { hashToken } from '../../platform/secrets.ts'
import { startTestApp } from '../../testing/app.ts'
import { person } from '../../testing/people.ts'
import { createSignInLink } from './create-sign-in-link.ts'

let logged = ''
const write = (line: string) => {
  logged += line
}
const log = pino({ level: 'trace' }, { write })
const app = await startTestApp({ log, settings: { RATE_LIMIT_LOGINS_PER_MINUTE: 1_000 } })
const acme = await app.organization({ mode: 'live' })
const owner = await person(app, acme.id, 'owner')

const Row = Type.Unsafe<Record<string, unknown>>({ type: 'object' })

test('secrets and hashes appear in no other response, event, stored response or log', async () => {
  const password = 'correct horse battery staple'
  const headers = { 'idempotency-key': 'secrecy' }
  const made = await owner.call('POST', 'keys', { name: 'k', mode: 'test', scopes: ['full_access'] }, headers)
  const rolled = await owner.call('POST', `keys/${made.body.id}/roll`, { overlap_seconds: 600 }, headers)
  const invited = await owner.call('POST', 'invitations', { email: 'secret@example.com', role: 'member' }, headers)
  const invitation = invited.body.link.split('=')[1]
  const joined = await app.call('POST', 'invitations/accept', { token: invitation, password })
  const signInToken = await app.database.inSystem((tx) => createSignInLink(tx, owner.id))
  const linked = await app.call('POST', 'auth/link', { token: signInToken })
  await app.call('POST', 'auth/login', { email: 'secret@example.com', password })
  await app.call('POST', 'auth/login', { email: 'secret@example.com', password: 'a wrong password 123' })
  await app.as(`${made.body.secret}x`)('GET', 'me')

  const secrets = [
    made.body.secret,
    rolled.body.secret,
    invitation,
    signInToken,
    password,
    'a wrong password 123',
    joined.body.access_token,
    joined.body.refresh_token,
    linked.body.access_token,
    linked.body.refresh_token,
  ]
  const hashes = secrets.flatMap((secret) => {
    const hash = hashToken(secret)
    return [hash.toString('hex'), hash.toString('base64'), hash.toString('base64url')]
  })

  const answers = []
  for (const path of ['me', 'keys', `keys/${made.body.id}`, 'members', 'invitations', 'organization', 'events'])
    answers.push((await owner.call('GET', path)).text)
  answers.push((await owner.call('POST', 'keys', { name: 'k', mode: 'test', scopes: ['full_access'] }, headers)).text)
  answers.push((await owner.call('GET', 'keys/nonsense')).text, (await app.call('GET', '/.well-known/jwks.json')).text)
  const sql = app.database.forSystem()
  const kept = JSON.stringify([
    await sql.all(Row)`select to_jsonb(events) as row from events`,
    await sql.all(Row)`select body from idempotency_keys`,
  ])
  const stored = JSON.stringify([
    await sql.all(Row)`select to_jsonb(keys) as row from keys`,
    await sql.all(Row)`select to_jsonb(sessions) as row from sessions`,
    await sql.all(Row)`select to_jsonb(invitations) as row from invitations`,
    await sql.all(Row)`select to_jsonb(sign_in_links) as row from sign_in_links`,
    await sql.all(Row)`select to_jsonb(users) as row from users`,
    await sql.all(Row)`select to_jsonb(signing_keys) as row from signing_keys`,
  ])
  for (const text of [...answers, kept, logged]) {
    for (const secret of [...secrets, ...hashes])
      assert.ok(!text.includes(secret), `${secret} in ${text.slice(0, 200)}`)
    assert.doesNotMatch(text, /argon2id|password_hash|token_hash|secret_hash|sealed/)
  }
  for (const secret of secrets) assert.ok(!stored.includes(secret), 'only hashes are stored')
  assert.match(stored, /argon2id/)
  const [published] = JSON.parse(answers.at(-1) as string).keys
  assert.equal(published.d, undefined, 'the private part is never published')
})

test('a tenant’s statements reach no password hash and no other organization’s people', async () => {
  const globex = await app.organization()
  const stranger = await person(app, globex.id, 'owner')
  const sql = app.database.forTenant({ organizationId: acme.id, livemode: true })
  await assert.rejects(sql.all(Row)`select password_hash from users`, /permission denied/)
  for (const table of ['sessions', 'sign_in_links', 'signing_keys', 'user_identities', 'installation'])
    await assert.rejects(sql.raw(`select * from ${table}`, []), /permission denied/, table)
  const people = await sql.all(Row)`select id from users`
  assert.ok(people.length > 0 && !people.some(({ id }) => id === stranger.id))
  assert.deepEqual(await sql.all(Row)`select id from organizations where id = ${globex.id}`, [])
  assert.deepEqual(await sql.all(Row)`select id from keys where organization_id = ${globex.id}`, [])
})
