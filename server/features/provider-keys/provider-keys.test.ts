import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountProviders } from '../../providers/accounts/contract.ts'
import { startAccountServer } from '../../testing/account-server.ts'
import { ok, startTestApp } from '../../testing/app.ts'
import { person } from '../../testing/people.ts'

const accounts = await startAccountServer()
const app = await startTestApp({ settings: { ...accounts.settings, ELEVENLABS_API_KEY: 'sk-installation' } })
const acme = await app.organization({ mode: 'live' })
const globex = await app.organization({ mode: 'live' })
const secret = 'sk-proj-9f8e7d6c5b4a3928'

const keyOf = async (org: typeof acme, provider: string) =>
  ok(await org.call('GET', 'provider-keys')).data.find((each: { provider: string }) => each.provider === provider)

test('a key is set, replaced and removed; its value is shown nowhere', async () => {
  assert.deepEqual(
    ok(await acme.call('GET', 'provider-keys')).data.map(({ provider }: { provider: string }) => provider),
    accountProviders,
  )
  assert.deepEqual(await keyOf(acme, 'deepgram'), {
    provider: 'deepgram',
    used_for: ['transcriber'],
    source: 'none',
    last_four: null,
    updated_at: null,
  })
  assert.equal((await keyOf(acme, 'elevenlabs')).source, 'installation')

  const set = ok(await acme.call('PUT', 'provider-keys/deepgram', { key: secret }))
  assert.deepEqual([set.source, set.last_four], ['organization', '3928'])
  assert.deepEqual(await keyOf(acme, 'deepgram'), set)
  const replaced = ok(await acme.call('PUT', 'provider-keys/deepgram', { key: 'another-key-0042' }))
  assert.equal(replaced.last_four, '0042')
  assert.equal((await keyOf(globex, 'deepgram')).source, 'none')

  ok(await acme.call('DELETE', 'provider-keys/deepgram'))
  assert.equal((await keyOf(acme, 'deepgram')).source, 'none')
  assert.equal((await acme.call('DELETE', 'provider-keys/deepgram')).status, 404)

  const { data: events } = ok(await acme.call('GET', 'events?type=provider_key.*'))
  assert.deepEqual(events.map(({ type }: { type: string }) => type).sort(), [
    'provider_key.created',
    'provider_key.deleted',
    'provider_key.updated',
  ])
  const { data: entries } = ok(await acme.call('GET', 'audit-log?action=provider_key.*'))
  assert.deepEqual(entries.map(({ action, object_name }: Record<string, string>) => [action, object_name]).reverse(), [
    ['provider_key.created', 'deepgram'],
    ['provider_key.updated', 'deepgram'],
    ['provider_key.deleted', 'deepgram'],
  ])
  assert.equal(entries[1].current.sealed_key, '[hidden]')
  for (const shown of [events, entries]) assert.doesNotMatch(JSON.stringify(shown), /9f8e7d6c|another-key/)
})

test('the key is stored encrypted, bound to its organization and provider', async () => {
  ok(await acme.call('PUT', 'provider-keys/google', { key: secret }))
  const { rows } = await app.database.pools.system.query(
    'select sealed_key from provider_keys where organization_id = $1',
    [acme.id],
  )
  assert.ok(rows.every(({ sealed_key }) => !sealed_key.includes(secret)))
  ok(await acme.call('DELETE', 'provider-keys/google'))
})

test('only owners and admins manage provider keys, and not with a test key', async () => {
  for (const role of ['supervisor', 'member', 'read_only'] as const) {
    const member = await person(app, acme.id, role)
    assert.equal((await member.call('GET', 'provider-keys')).status, 403, role)
    assert.equal((await member.call('PUT', 'provider-keys/openai', { key: secret })).status, 403, role)
  }
  const admin = await person(app, acme.id, 'admin')
  ok(await admin.call('PUT', 'provider-keys/openai', { key: secret }))
  const limited = app.as((await app.key(acme.id, { mode: 'live', scopes: ['agents:write'] })).secret)
  for (const [method, path] of [
    ['GET', 'provider-keys'],
    ['PUT', 'provider-keys/openai'],
    ['DELETE', 'provider-keys/openai'],
    ['POST', 'provider-keys/openai/test'],
  ] as const)
    assert.equal((await limited(method, path, method === 'PUT' ? { key: secret } : undefined)).status, 403, path)
  const inTest = app.as((await app.key(acme.id)).secret)
  assert.equal((await inTest('PUT', 'provider-keys/openai', { key: secret })).status, 403)
  assert.equal((await inTest('DELETE', 'provider-keys/openai')).status, 403)
  assert.equal((await inTest('POST', 'provider-keys/openai/test')).status, 403)
  assert.equal(ok(await inTest('GET', 'provider-keys')).data[0].source, 'organization')
  assert.equal((await app.call('GET', 'provider-keys')).status, 401)
})

test('an unknown provider and a malformed key are refused', async () => {
  assert.equal((await acme.call('PUT', 'provider-keys/acme', { key: secret })).status, 404)
  for (const key of ['short', 'with a blank in it', 'line\nbreak-12', ''])
    assert.equal((await acme.call('PUT', 'provider-keys/openai', { key })).status, 422, key)
  assert.equal((await acme.call('PUT', 'provider-keys/openai', {})).status, 422)
})

test('a test asks each provider with the organization’s own key', async () => {
  const expected: Record<string, [string, string, string]> = {
    openai: ['/v1/models', 'authorization', `Bearer ${secret}`],
    anthropic: ['/v1/models?limit=1', 'x-api-key', secret],
    google: ['/v1beta/models?pageSize=1', 'x-goog-api-key', secret],
    deepgram: ['/v1/projects', 'authorization', `Token ${secret}`],
    elevenlabs: ['/v2/voices?page_size=1', 'xi-api-key', secret],
    cartesia: ['/voices?limit=1', 'authorization', `Bearer ${secret}`],
  }
  for (const provider of accountProviders) {
    ok(await acme.call('PUT', `provider-keys/${provider}`, { key: secret }))
    accounts.requests.length = 0
    const tested = ok(await acme.call('POST', `provider-keys/${provider}/test`))
    assert.equal(tested.works, true, tested.message)
    const [path, header, value] = expected[provider] as [string, string, string]
    assert.deepEqual([accounts.requests[0]?.path, accounts.requests[0]?.headers[header]], [path, value])
  }
})

test('a test says why a key does not work, without the provider’s own words', async () => {
  const answers = async (status: number, body = `{"error":"bad key ${secret}"}`) => {
    accounts.next.push({ status, body })
    return ok(await acme.call('POST', 'provider-keys/elevenlabs/test'))
  }
  assert.deepEqual(await answers(401), { works: false, message: 'ElevenLabs does not accept the key (401).' })
  assert.match((await answers(503)).message, /failed \(503\)/)
  assert.match((await answers(429)).message, /limit is reached/)
  assert.match((await answers(404)).message, /address set for ElevenLabs is wrong.*\(404\)/)
  assert.equal((await answers(401, '{"detail":{"status":"missing_permissions"}}')).works, true)
  const offline = await app.node({ ELEVENLABS_BASE_URL: 'http://127.0.0.1:1' })
  const tested = await offline.as(acme.key)('POST', 'provider-keys/elevenlabs/test')
  assert.deepEqual(tested.body, { works: false, message: 'ElevenLabs cannot be reached. Try again later.' })
  assert.equal((await globex.call('POST', 'provider-keys/elevenlabs/test')).status, 404)
})
