import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDatabaseStore } from '../../simulator/database-store.ts'
import { totpCode, totpStep } from '../features/organizations/second-factors/totp.ts'
import { createSecretBox } from '../platform/secrets.ts'
import { sealedColumns } from '../services/sealed-columns.ts'
import { type CallAs, ok, startTestApp } from '../testing/app.ts'
import { person } from '../testing/people.ts'
import { databaseUrl, runCommand, until } from '../testing/process.ts'

const app = await startTestApp()
const system = app.database.pools.system

/**
 * Columns of type bytea that are not sealed secrets, and what they hold. A new bytea column must be listed here or be
 * sealed.
 */
const plainBytes: Record<string, string> = {
  'channels.chat_app_hash': 'a digest of an app secret',
  'chat_hooks.app_hash': 'the same',
  'chunk_vectors.vectors': 'embeddings',
  'contact_import_chunks.bytes': 'an uploaded file',
  'erased_addresses.digest': 'a keyed hash, whose key is not rotated',
  'gap_questions.vector': 'an embedding',
  'idempotency_keys.request_hash': 'a hash',
  'incoming_hooks.body': 'what the platform posted',
  'incoming_hooks.hook_app_hash': 'a digest of an app secret',
  'invitations.token_hash': 'a hash',
  'kept_hooks.body': 'what the platform posted',
  'kept_hooks.hook_app_hash': 'a digest of an app secret',
  'keys.token_hash': 'a hash',
  'known_devices.token_hash': 'a hash',
  'passkey_challenges.challenge_hash': 'a hash',
  'passkeys.public_key': 'a public key',
  'push_subscriptions.auth':
    'a value that the browser shares with who writes to it, of use only through its push service',
  'push_subscriptions.p256dh': 'a public key',
  'recovery_codes.code_digest': 'a digest',
  'reported_days.rows': 'times of conversations',
  'sessions.secret_hash': 'a hash',
  'sign_in_links.token_hash': 'a hash',
  'simulator_records.bytes': 'media of the simulator',
  'spent_refresh_tokens.seed': 'a random seed',
  'spent_refresh_tokens.token_hash': 'a hash',
  'write_probes.filler': 'bytes that `/readyz` writes to find a full disk',
}

test('every bytea column is listed or covered by the rotation', async () => {
  const { rows } = await system.query<{ name: string; key: Record<string, string> }>(`
    select c.relname || '.' || a.attname as name, (
        select json_object_agg(k.attname, format_type(k.atttypid, null)) from pg_index i
          join unnest(i.indkey) with ordinality p (number, place) on true
          join pg_attribute k on k.attrelid = i.indrelid and k.attnum = p.number
        where i.indrelid = c.oid and i.indisprimary) as key
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.atttypid = 'bytea'::regtype
      and not a.attisdropped order by 1`)
  const sealed = new Map(sealedColumns.map(({ table, column, key }) => [`${table}.${column}`, key]))
  const unknown = rows.filter(({ name }) => !sealed.has(name) && !(name in plainBytes) && !name.startsWith('calls.'))
  assert.deepEqual(
    unknown.map(({ name }) => name),
    [],
    'declare it as a sealedColumn, or list it above',
  )
  for (const { name, key } of rows) if (sealed.has(name)) assert.deepEqual(sealed.get(name), key, name)
  assert.deepEqual(
    [...sealed.keys()].filter((name) => !rows.some((row) => row.name === name)),
    [],
  )
})

test('a new SECRET_KEY takes over while the service runs, and the previous one is no longer needed', async () => {
  const former = app.settings.SECRET_KEY as string
  const fresh = 'a new secret key that only this test would use'
  const acme = await app.organization()
  const ada = await person(app, acme.id, 'owner')
  const { secret } = (await ada.call('POST', 'auth/authenticator', {})).body
  const confirm = (call: CallAs) =>
    call('POST', 'auth/authenticator/confirm', { code: totpCode(secret, totpStep(Date.now())) })
  const channel = ok(
    await acme.call('POST', 'channels', {
      phone_number: '+14155550190',
      chat: { phone_number_id: '1', business_account_id: '2', access_token: 'a', app_secret: 'b', verify_token: 'c' },
      voice: { provider: 'twilio', account_sid: `AC${'a'.repeat(32)}`, auth_token: 'd', phone_number_id: 'PN1' },
    }),
    201,
  )
  const tool = {
    name: 'orders',
    description: 'Looks up an order',
    method: 'GET',
    url: 'https://shop.example.com/orders',
    headers: { Authorization: 'Bearer 9f8e7d6c5b4a3928' },
    parameters: { type: 'object', properties: {} },
  }
  const agent = ok(await acme.call('POST', 'agents', { name: 'Desk', agent_config: { tools: [tool] } }), 201)
  ok(await acme.call('POST', 'webhooks', { url: 'https://shop.example.com/hook', events: ['*'] }), 201)
  const liveKey = app.as((await app.key(acme.id, { mode: 'live' })).secret)
  ok(await liveKey('PUT', 'provider-keys/openai', { key: 'sk-proj-9f8e7d6c5b4a' }))
  // More than one batch.
  const store = createDatabaseStore(app.database, createSecretBox(former))
  for (let first = 0; first < 1_100; first += 100)
    await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        store.add({
          kind: 'rotation',
          id: String(first + i),
          account: acme.id,
          data: {},
          secret: `secret ${first + i}`,
        }),
      ),
    )

  // A job of this node could encrypt something with the former key after the rotation.
  await until(async () => {
    const { rowCount } = await system.query(
      `select from pgboss.job where state = 'active' or state in ('created', 'retry') and start_after <= now()`,
    )
    return rowCount === 0
  })
  const both = await app.node({ SECRET_KEY: fresh, SECRET_KEY_PREVIOUS: former })
  assert.equal((await both.as(ada.token)('GET', 'me')).status, 200, 'tokens of the former key hold')
  assert.equal((await both.as(acme.key)('GET', `agents/${agent.id}`)).status, 200)

  const env = { DATABASE_URL: databaseUrl(app.connection), SECRET_KEY: fresh }
  const alone = await runCommand(['secrets', 'rotate'], env)
  assert.match(alone.stderr, /SECRET_KEY_PREVIOUS/)
  assert.equal(alone.code, 1)
  const doctor = () => runCommand(['doctor'], { ...env, SECRET_KEY_PREVIOUS: former, PORT: '0' })
  assert.match((await doctor()).stdout, /encrypted with SECRET_KEY_PREVIOUS. Run: npx frontdesk secrets rotate/)
  const rotated = await runCommand(['secrets', 'rotate'], { ...env, SECRET_KEY_PREVIOUS: former })
  assert.equal(rotated.code, 0, rotated.stderr)
  assert.match(rotated.stdout, /simulator_records\.sealed: 1\d\d\d re-encrypted/)
  const again = await runCommand(['secrets', 'rotate'], { ...env, SECRET_KEY_PREVIOUS: former })
  assert.doesNotMatch(again.stdout, /: [1-9]\d* re-encrypted/, 'a second run re-encrypts nothing')
  assert.match((await doctor()).stdout, /✓ SECRET_KEY decrypts the stored secrets/)

  const box = createSecretBox(fresh)
  for (const { table, column, context } of sealedColumns) {
    const { rows } = await system.query(`select *, ${column} as sealed from ${table} where ${column} is not null`)
    assert.ok(rows.length > 0, `the test has nothing sealed in ${table}.${column}`)
    for (const row of rows) assert.doesNotThrow(() => box.open(row.sealed, context(row)), `${table}.${column}`)
  }

  const after = await app.node({ SECRET_KEY: fresh })
  assert.equal((await after.as(ada.token)('GET', 'me')).status, 200, 'and are signed by the same key')
  assert.equal((await confirm(after.as(ada.token))).status, 200, 'an authenticator app still works')
  const { chat } = (await after.as(acme.key)('GET', `channels/${channel.id}`)).body
  assert.equal(chat.hook_url, channel.chat.hook_url)
  const path = new URL(chat.hook_url, 'http://localhost').pathname
  const verify = '?hub.mode=subscribe&hub.challenge=7&hub.verify_token=c'
  assert.equal((await after.call('GET', `${path}${verify}`)).text, '7', 'digests stay, so the hook finds its channel')
})
