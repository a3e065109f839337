import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { allScopes } from '../../features/organizations/schema.ts'
import { newId } from '../../platform/ids.ts'
import { ok, startTestApp } from '../app.ts'
import { person } from '../people.ts'

const app = await startTestApp({ settings: { METRICS_TOKEN: 'a token for metrics' } })
const acme = await app.organization()
const globex = await app.organization({ name: 'Globex' })
const bare = 'Bearer realm="frontdesk"'
const invalid = /^Bearer realm="frontdesk", error="invalid_token", error_description="[^"\\]+"$/

test('every 401 of every operation says how to authenticate, in each shape of its body', async () => {
  const guarded = app.routes.operations.filter(({ open }) => !open)
  assert.ok(guarded.length > 100)
  for (const { method, url } of guarded) {
    const path = `/api/v1${url.replaceAll(/:\w+/g, newId())}`
    const none = await app.call(method, path)
    assert.deepEqual([none.status, none.headers['www-authenticate']], [401, bare], `${method} ${url}`)
    const wrong = await app.as('svc_sk_test_wrong')(method, path)
    assert.equal(wrong.status, 401, `${method} ${url}`)
    assert.match(String(wrong.headers['www-authenticate']), invalid, `${method} ${url}`)
  }
})

test('the same for signing in, cookies, MCP, metrics and sockets', async () => {
  const refused = [
    await app.call('POST', 'auth/login', { email: 'nobody@example.com', password: 'a guess' }),
    await app.call('POST', 'auth/refresh', { refresh_token: 'unknown' }),
    await app.call('POST', 'auth/logout'),
    await app.call('POST', 'auth/link', { token: 'unknown' }),
    await app.call('GET', 'me', undefined, { cookie: 'frontdesk_token=wrong' }),
    await app.call('GET', 'me', undefined, { authorization: 'Basic YTpi' }),
    await app.call('POST', '/mcp', {}),
    await app.as('wrong')('POST', '/mcp', {}),
    await app.call('GET', '/metrics'),
  ]
  for (const [n, { status, headers }] of refused.entries()) {
    assert.equal(status, 401, String(n))
    assert.match(String(headers['www-authenticate']), /^Bearer realm="frontdesk"/, String(n))
  }
  const { port } = new URL(await app.listen())
  const upgrade = request({
    port,
    path: `/api/v1/calls/web/${newId()}`,
    headers: { connection: 'Upgrade', upgrade: 'websocket' },
  })
  const socket = await new Promise<{ statusCode?: number | undefined; headers: Record<string, unknown> }>((resolve) => {
    upgrade.once('response', resolve).end()
  })
  assert.deepEqual([socket.statusCode, socket.headers['www-authenticate']], [401, bare])
})

test('GET /me answers every credential with its organization, mode and scopes', async () => {
  for (const mode of ['test', 'live'] as const)
    for (const scope of allScopes) {
      const key = await app.key(acme.id, { mode, scopes: [scope] })
      const me = await app.as(key.secret)('GET', 'me')
      assert.deepEqual([me.status, me.body.mode, me.body.scopes], [200, mode, [scope]], scope)
      assert.equal(me.body.organization.id, acme.id)
    }
  const one = await person(app, acme.id, 'member')
  assert.equal((await one.call('GET', 'me')).body.organization.id, acme.id)

  const several = await person(app, [acme.id, globex.id], 'admin')
  const { organization, organizations, mode, scopes, user } = ok(await several.call('GET', 'me'))
  assert.deepEqual(
    { organization, mode, scopes, role: user.role },
    { organization: null, mode: 'live', scopes: [], role: null },
  )
  assert.deepEqual(organizations.map(({ id }: { id: string }) => id).sort(), [acme.id, globex.id].sort())
  assert.equal((await several.call('GET', 'me', undefined, { 'x-mode': 'test' })).body.mode, 'test')
  const decided = await several.call('GET', 'me', undefined, { organization_id: globex.id })
  assert.deepEqual([decided.body.organization.id, decided.body.user.role], [globex.id, 'admin'])
  const elsewhere = await several.call('GET', 'me', undefined, { organization_id: newId() })
  assert.deepEqual([elsewhere.status, elsewhere.body], [400, { detail: 'A valid organization_id header is required' }])
  for (const path of ['contacts', 'organization', 'events', 'keys'])
    assert.equal((await several.call('GET', path)).status, 400, `${path} needs an organization`)
})
