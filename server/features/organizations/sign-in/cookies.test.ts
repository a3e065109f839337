import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, type Reply, startTestApp } from '../../../testing/app.ts'
import { person } from '../../../testing/people.ts'
import { createSignInLink } from '../create-sign-in-link.ts'

const app = await startTestApp({ settings: { CORS_ORIGINS: ['https://shop.example.com'] } })
const acme = await app.organization()
const globex = await app.organization({ name: 'Globex' })
const ada = await person(app, acme.id, 'owner')
const cookie = `frontdesk_token=${ada.token}`
const ours = { cookie, origin: 'http://localhost:3000', 'x-frontdesk': '1', host: 'localhost:3000' }
const newContact = (n: number) => ({ phone_number: `+1415555${n}` })

const setCookies = ({ headers }: Reply) => [headers['set-cookie']].flat().filter((each) => each !== undefined)

const link = (id: string) => app.database.inSystem((tx) => createSignInLink(tx, id))

test('signing in sets cookies that scripts cannot read and other sites do not send', async () => {
  const answer = await app.call('POST', 'auth/link', { token: await link(ada.id) })
  const { access_token, refresh_token } = answer.body
  const [token, refresh, device] = setCookies(answer)
  assert.equal(token, `frontdesk_token=${access_token}; Max-Age=3600; Path=/; HttpOnly; SameSite=Strict`)
  assert.equal(
    refresh,
    `frontdesk_refresh=${refresh_token}; Max-Age=43200; Path=/api/v1/auth; HttpOnly; SameSite=Strict`,
  )
  assert.match(
    String(device),
    /^frontdesk_device=[0-9A-Za-z]{43}; Max-Age=34560000; Path=\/api\/v1; HttpOnly; SameSite=Strict$/,
  )
})

test('over https the cookies are secure and bound to this host', async () => {
  const secure = await app.node({ PUBLIC_URL: 'https://desk.example.com' })
  const host = { host: 'desk.example.com' }
  const answer = await secure.call('POST', 'auth/link', { token: await link(ada.id) }, host)
  const [token, refresh, device] = setCookies(answer) as string[]
  assert.match(token as string, /^__Host-frontdesk_token=.*; Path=\/; HttpOnly; Secure; SameSite=Strict$/)
  assert.match(
    refresh as string,
    /^__Secure-frontdesk_refresh=.*; Path=\/api\/v1\/auth; HttpOnly; Secure; SameSite=Strict$/,
  )
  assert.match(device as string, /^__Secure-frontdesk_device=.*; Path=\/api\/v1; HttpOnly; Secure; SameSite=Strict$/)
  const sent = { ...host, cookie: (token as string).split(';')[0] as string }
  assert.equal((await secure.call('GET', 'me', undefined, sent)).status, 200)
  const write = (origin: string) =>
    secure.call('POST', 'contacts', newContact(2671), { ...sent, origin, 'x-frontdesk': '1' })
  assert.equal((await write('https://desk.example.com.evil.example')).status, 403)
  assert.equal((await write('https://desk.example.com')).status, 201)
  const planted = { ...host, cookie: `frontdesk_token=${answer.body.access_token}` }
  assert.equal((await secure.call('GET', 'me', undefined, planted)).status, 401)
})

test('reads work by cookie alone and may name mode and organization in the query', async () => {
  const both = await person(app, [acme.id, globex.id], 'member')
  const get = (path: string, headers = {}) =>
    app.call('GET', path, undefined, { cookie: `frontdesk_token=${both.token}`, ...headers })
  const undecided = ok(await get('me'))
  assert.equal(undecided.organization, null)
  assert.equal((await get('contacts')).status, 400)
  const me = await get(`me?mode=test&organization_id=${globex.id}`)
  assert.deepEqual([me.body.organization.id, me.body.mode], [globex.id, 'test'])
  assert.equal((await get(`me?mode=test&organization_id=${globex.id}`, { 'x-mode': 'live' })).body.mode, 'live')
  assert.equal((await get(`me?mode=prod&organization_id=${globex.id}`)).status, 400)
  assert.equal((await get(`me?mode=test&mode=live&organization_id=${globex.id}`)).status, 400)
  assert.equal((await get('me?organization_id=x')).status, 400)
  const byHeader = await both.call('GET', `contacts?organization_id=${globex.id}`)
  assert.equal(byHeader.status, 400, 'the query counts for cookies only')
})

test('a write by cookie requires our origin and our header', async () => {
  const write = (headers: Record<string, string>) => app.call('POST', 'contacts', newContact(2672), headers)
  const without = (name: string) => Object.fromEntries(Object.entries(ours).filter(([key]) => key !== name))
  const refusals = [
    without('origin'),
    without('x-frontdesk'),
    { ...ours, 'x-frontdesk': '' },
    { ...ours, origin: 'null' },
    { ...ours, origin: 'https://evil.example' },
    { ...ours, origin: 'http://localhost:3001' },
    { ...ours, origin: 'http://localhost.evil.example' },
    { ...ours, origin: 'not an origin' },
    { ...ours, origin: 'https://shop.example.com' },
  ]
  for (const headers of refusals) {
    const answer = await write(headers)
    assert.equal(answer.status, 403, JSON.stringify(headers))
  }
  for (const [method, path, body] of [
    ['PUT', `contacts/${ada.id}`, {}],
    ['PATCH', 'organization', { name: 'Evil' }],
    ['DELETE', `members/${ada.id}`, undefined],
    ['POST', 'auth/password', { new_password: 'a new long password' }],
    ['POST', 'auth/logout', undefined],
  ] as const)
    assert.equal((await app.call(method, path, body, { cookie })).status, 403, path)
  assert.equal((await write({ ...ours, 'x-mode': 'test' })).status, 201)
})

test('with an Authorization header the cookie is ignored', async () => {
  const withKey = ok(await acme.call('POST', 'contacts', newContact(2673), { cookie }), 201)
  assert.equal(withKey.livemode, false)
  assert.equal((await globex.call('GET', 'me', undefined, { cookie })).body.organization.id, globex.id)
  for (const authorization of ['Bearer svc_sk_test_wrong', 'Basic abc', ''])
    assert.equal((await app.call('GET', 'me', undefined, { cookie, authorization })).status, 401)
})

test('an API key in the cookie is refused', async () => {
  const answer = await app.call('GET', 'me', undefined, { cookie: `frontdesk_token=${acme.key}` })
  assert.equal(answer.status, 401)
})

test('the refresh cookie returns a new access token and sets the next refresh token as a cookie', async () => {
  const bob = await person(app, acme.id, 'member')
  const cookie = `frontdesk_refresh=${bob.refreshToken}`
  assert.equal((await app.call('POST', 'auth/refresh', undefined, { cookie })).status, 403)
  assert.equal((await app.call('POST', 'auth/refresh', {}, { cookie, origin: 'https://evil.example' })).status, 403)
  const answer = await app.call('POST', 'auth/refresh', undefined, { ...ours, cookie })
  assert.equal(answer.status, 200)
  assert.equal(answer.body.refresh_token, null)
  assert.equal((await app.as(answer.body.access_token)('GET', 'me')).body.user.id, bob.id)
  assert.match(String(setCookies(answer)[0]), /^frontdesk_token=/)
  const [, next] = /^frontdesk_refresh=([^;]+); Max-Age=\d+; Path=\/api\/v1\/auth; HttpOnly; SameSite=Strict$/.exec(
    String(setCookies(answer)[1]),
  ) as unknown as [string, string]
  assert.notEqual(next, bob.refreshToken)
  // Another tab refreshes with the previous cookie and gets the same token.
  const late = await app.call('POST', 'auth/refresh', undefined, { ...ours, cookie })
  assert.match(String(setCookies(late)[1]), new RegExp(`^frontdesk_refresh=${next};`))

  const out = await app.call('POST', 'auth/logout', undefined, { ...ours, cookie })
  assert.equal(out.status, 200)
  assert.deepEqual(
    setCookies(out).map((each) => String(each).replace(/Expires=[^;]+/, 'Expires')),
    [
      'frontdesk_token=; Max-Age=0; Path=/; Expires; HttpOnly; SameSite=Strict',
      'frontdesk_refresh=; Max-Age=0; Path=/api/v1/auth; Expires; HttpOnly; SameSite=Strict',
    ],
  )
  assert.equal((await app.call('POST', 'auth/refresh', undefined, { ...ours, cookie })).status, 401)
})

test('a logout by the access cookie ends the session', async () => {
  const bob = await person(app, acme.id, 'member')
  const cookie = `frontdesk_token=${bob.token}`
  assert.equal((await app.call('POST', 'auth/logout', undefined, { ...ours, cookie })).status, 200)
  assert.equal((await bob.call('GET', 'me')).status, 401)
})

test('pages of other origins may use keys, never cookies', async () => {
  const allowed = { origin: 'https://shop.example.com' }
  const preflight = await app.call('OPTIONS', 'contacts', undefined, {
    ...allowed,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,x-frontdesk',
  })
  assert.equal(preflight.headers['access-control-allow-origin'], 'https://shop.example.com')
  assert.equal(preflight.headers['access-control-allow-credentials'], undefined)
  assert.doesNotMatch(String(preflight.headers['access-control-allow-headers']), /x-frontdesk/i)
  const read = await acme.call('GET', 'contacts', undefined, allowed)
  assert.equal(read.headers['access-control-allow-origin'], 'https://shop.example.com')
  for (const answer of [read, await app.call('GET', 'me', undefined, { ...allowed, cookie })])
    assert.equal(answer.headers['access-control-allow-credentials'], undefined)
  const stranger = await acme.call('GET', 'contacts', undefined, { origin: 'https://evil.example' })
  assert.notEqual(stranger.headers['access-control-allow-origin'], 'https://evil.example')
})
