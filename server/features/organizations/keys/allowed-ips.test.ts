import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, startTestApp } from '../../../testing/app.ts'
import { untilStatus } from '../../../testing/people.ts'

const app = await startTestApp({ settings: { TRUST_PROXY: true } })
const acme = await app.organization()
const refusal = { detail: 'This key may not be used from this address', code: 'address_not_allowed' }

async function keyFor(allowed_ips: string[]) {
  const made = ok(
    await acme.call('POST', 'keys', { name: 'Narrow', mode: 'test', scopes: ['contacts:read'], allowed_ips }),
    201,
  )
  const call = app.as(made.secret)
  /** As the trusted proxy reports the client. */
  const from = (address: string, path = 'contacts', body?: object) =>
    call(body ? 'POST' : 'GET', path, body, { 'x-forwarded-for': address })
  return { ...made, call, from } as { id: string; allowed_ips: string[]; secret: string; from: typeof from }
}

test('a key works from its addresses and ranges only, whatever the operation', async () => {
  const { from, id } = await keyFor(['203.0.113.7', '198.51.100.0/24', '2001:db8::/48', '2001:db9::1'])
  for (const address of ['203.0.113.7', '::ffff:203.0.113.7', '198.51.100.200', '2001:db8:0:1::5', '2001:db9::1'])
    assert.equal((await from(address)).status, 200, address)
  for (const address of [
    '203.0.113.8',
    '198.51.101.1',
    '2001:db8:1::1',
    '2001:db9::2',
    '::ffff:203.0.113.8',
    'nonsense',
  ])
    for (const path of ['contacts', 'me', 'keys', 'stream', 'agents']) {
      const refused = await from(address, path)
      assert.equal(refused.status, 403, `${address} ${path}`)
      assert.equal(refused.body.code ?? refused.body.detail, refusal.code, path)
    }
  assert.deepEqual((await from('192.0.2.1')).body, refusal)
  const mcp = await from('192.0.2.1', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' })
  assert.deepEqual([mcp.status, mcp.body], [403, refusal])
  assert.deepEqual((await acme.call('GET', `keys/${id}`)).body.allowed_ips.length, 4)
})

test('what a client wrote into the header itself does not count', async () => {
  const { from } = await keyFor(['203.0.113.7'])
  assert.equal((await from('203.0.113.7, 192.0.2.1')).status, 403)
  assert.equal((await from('192.0.2.1, 203.0.113.7')).status, 200)
  const direct = await app.node({ TRUST_PROXY: false })
  const { secret } = await keyFor(['203.0.113.7'])
  const forged = await direct.as(secret)('GET', 'contacts', undefined, { 'x-forwarded-for': '203.0.113.7' })
  assert.equal(forged.status, 403)
})

test('a changed list counts on every node within seconds, ends open streams and is kept by a rolled key', async () => {
  const key = await keyFor(['127.0.0.1'])
  const node = await app.node({ TRUST_PROXY: false })
  const open = await fetch(`${await node.listen()}/api/v1/stream`, {
    headers: { authorization: `Bearer ${key.secret}` },
  })
  assert.equal(open.status, 200)
  const rolled = await acme.call('POST', `keys/${key.id}/roll`, { overlap_seconds: 3_600 })
  assert.deepEqual(rolled.body.allowed_ips, ['127.0.0.1'])
  const changed = await acme.call('PATCH', `keys/${key.id}`, { name: ' Narrower ', allowed_ips: ['203.0.113.7'] })
  assert.deepEqual(
    [changed.status, changed.body.name, changed.body.allowed_ips],
    [200, 'Narrower', ['203.0.113.7']],
    changed.text,
  )
  assert.equal(changed.body.secret, undefined)
  // The stream ends by itself: reading it to the end returns.
  await open.text()
  await untilStatus(() => node.as(key.secret)('GET', 'contacts'), 403)
  const lifted = await acme.call('PATCH', `keys/${key.id}`, { allowed_ips: null })
  assert.deepEqual([lifted.body.name, lifted.body.allowed_ips], ['Narrower', null])
  await untilStatus(() => node.as(key.secret)('GET', 'contacts'), 200)
})

test('input is checked and located', async () => {
  const { id } = await keyFor(['203.0.113.7'])
  for (const entry of [
    'example.com',
    '203.0.113',
    '203.0.113.7/33',
    '2001:db8::/129',
    'fe80::1%eth0',
    '1.2.3.4/a',
    '',
    '::ffff:1.2.3.4',
  ])
    for (const [method, path] of [
      ['POST', 'keys'],
      ['PATCH', `keys/${id}`],
    ] as const) {
      const body = { name: 'x', allowed_ips: ['203.0.113.7', entry] }
      const refused = await acme.call(
        method,
        path,
        method === 'POST' ? { ...body, mode: 'test', scopes: ['calls:read'] } : body,
      )
      assert.deepEqual([refused.status, refused.body.detail[0].loc], [422, ['body', 'allowed_ips', '1']], entry)
    }
  for (const allowed_ips of [[], Array(51).fill('203.0.113.7'), 'all', [7]])
    assert.equal((await acme.call('PATCH', `keys/${id}`, { allowed_ips })).status, 422)
  await acme.call('DELETE', `keys/${id}`)
  assert.equal((await acme.call('PATCH', `keys/${id}`, { name: 'Late' })).status, 409)
  const stranger = await app.organization()
  assert.equal((await stranger.call('PATCH', `keys/${id}`, { name: 'Mine' })).status, 404)
  const live = await app.key(acme.id, { mode: 'live' })
  assert.equal((await acme.call('PATCH', `keys/${live.id}`, { name: 'Mine' })).status, 404, 'a test key sees test keys')
  const reader = await app.key(acme.id, { scopes: ['contacts:read'] })
  assert.equal((await app.as(reader.secret)('PATCH', `keys/${live.id}`, { name: 'Mine' })).status, 403)
})
