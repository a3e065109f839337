import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { type CallAs, ok, type Reply, startTestApp } from '../../../testing/app.ts'
import { person } from '../../../testing/people.ts'

const app = await startTestApp({ settings: { RATE_LIMIT_LOGINS_PER_MINUTE: 1_000 } })
const acme = await app.organization({ mode: 'live' })
const globex = await app.organization({ mode: 'live', name: 'Globex' })
const owner = await person(app, acme.id, 'owner')
const admin = await person(app, acme.id, 'admin')
const password = 'correct horse battery staple'
const notFound = { detail: 'Invitation not found' }
const unknownId = '01976f3e-6f0a-7c44-9a51-0d3f5a1b2c3d'

let guests = 0
const newEmail = () => `guest${++guests}@example.com`
const tokenOf = ({ body }: Reply): string => /#invitation=(\w+)$/.exec(body.link)?.[1] as string

async function invite(email: string, role = 'member', call: CallAs = owner.call) {
  const invited = await call('POST', 'invitations', { email, role })
  assert.equal(invited.status, 201, invited.text)
  return { id: invited.body.id as string, token: tokenOf(invited) }
}
const accept = (body: object, call: CallAs = app.call) => call('POST', 'invitations/accept', body)
const Count = Type.Object({ n: Type.Number() })

test('an invitation returns its link once and is valid for seven days', async () => {
  const { link, ...invitation } = ok(
    await owner.call('POST', 'invitations', { email: ' Eve@example.com '.trim(), role: 'admin' }),
    201,
  )
  assert.match(link, /^http:\/\/localhost(:80)?\/#invitation=[0-9A-Za-z]{43}$/)
  assert.deepEqual(
    [invitation.email, invitation.role, invitation.invited_by, invitation.organization_id],
    ['Eve@example.com', 'admin', owner.id, acme.id],
  )
  assert.equal(Date.parse(invitation.expires_at) - Date.parse(invitation.created_at), 7 * 24 * 3_600_000)
  assert.deepEqual((await owner.call('GET', `invitations/${invitation.id}`)).body, invitation)
  const listed = await owner.call('GET', 'invitations')
  assert.deepEqual(listed.body.data[0], invitation)
  const published = await app.node({ PUBLIC_URL: 'https://desk.example.com' })
  const host = { host: 'desk.example.com' }
  const second = await published.as(acme.key)('POST', 'invitations', { email: newEmail(), role: 'member' }, host)
  assert.match(second.body.link, /^https:\/\/desk\.example\.com\/#invitation=\w{43}$/)
})

test('a replay of the same invitation returns no link', async () => {
  const body = { email: newEmail(), role: 'member' }
  const headers = { 'idempotency-key': 'invite once' }
  const first = await owner.call('POST', 'invitations', body, headers)
  const replay = await owner.call('POST', 'invitations', body, headers)
  assert.deepEqual(replay.body, { ...first.body, link: null })
})

test('a new person joins with their own name and password', async () => {
  const email = newEmail()
  const { token } = await invite(email)
  const joined = await accept({ token, name: ' Gus ', password })
  assert.equal(joined.status, 200, joined.text)
  assert.deepEqual(joined.body.organization, { id: acme.id, name: 'Acme', role: 'member' })
  assert.deepEqual([joined.body.token_type, joined.body.expires_in], ['Bearer', 3600])
  assert.equal([joined.headers['set-cookie']].flat().length, 3)
  const me = await app.as(joined.body.access_token)('GET', 'me')
  assert.deepEqual([me.body.user.email, me.body.user.name, me.body.user.role], [email, 'Gus', 'member'])
  assert.equal((await app.call('POST', 'auth/login', { email, password })).status, 200)
  assert.equal((await app.call('POST', 'auth/refresh', { refresh_token: joined.body.refresh_token })).status, 200)
  assert.deepEqual((await accept({ token, password })).body, notFound)
  assert.equal(
    (await owner.call('GET', 'invitations?limit=100')).body.data.filter(
      (each: { email: string }) => each.email === email,
    ).length,
    0,
  )
})

test('a new person needs a long enough password, and a refusal does not use up the invitation', async () => {
  const { token } = await invite(newEmail())
  for (const [body, type] of [
    [{ token }, 'missing'],
    [{ token, password: 'too short' }, 'string_too_short'],
    [{ token, password: 'p'.repeat(257) }, 'string_too_long'],
  ] as const) {
    const answer = await accept(body)
    assert.equal(answer.status, 422)
    assert.deepEqual([answer.body.detail[0].loc, answer.body.detail[0].type], [['body', 'password'], type])
  }
  assert.equal((await accept({ password })).status, 422)
  assert.equal((await accept({ token, password })).status, 200)
})

test('of many concurrent acceptances of one invitation, one succeeds', async () => {
  const email = newEmail()
  const { token } = await invite(email)
  const answers = await Promise.all(Array.from({ length: 8 }, () => accept({ token, password })))
  const statuses = answers.map(({ status }) => status).sort()
  assert.equal(statuses[0], 200)
  assert.ok(
    statuses.slice(1).every((status) => status >= 400 && status < 500),
    statuses.join(),
  )
  const { n } = await app.database.forSystem().one(Count)`
    select count(*) as n from members join users on users.id = user_id where email = ${email}`
  assert.equal(n, 1)
})

test('a person with an account must prove that it is theirs: the token alone is not enough', async () => {
  const email = newEmail()
  const first = await accept({ token: (await invite(email)).token, password })
  const victim = app.as(first.body.access_token)
  // The inviter knows the link: it must not let them into the account of the person whom they invited.
  const { token } = await invite(email, 'member', globex.call)
  assert.equal((await accept({ token })).status, 401)
  assert.equal((await accept({ token, password: 'the inviter’s own idea' })).status, 401)
  assert.equal((await accept({ token }, globex.call)).status, 401)
  const other = await person(app, globex.id, 'owner')
  const wrongPerson = await accept({ token }, other.call)
  assert.deepEqual(
    [wrongPerson.status, wrongPerson.body],
    [403, { detail: 'This invitation is for another e-mail address' }],
  )
  const joined = ok(await accept({ token }, victim))
  assert.deepEqual(joined.organization, { id: globex.id, name: 'Globex', role: 'member' })
  assert.deepEqual([joined.access_token, joined.refresh_token, joined.expires_in], [null, null, null])
  assert.deepEqual(
    joined.organizations.map(({ name }: { name: string }) => name),
    ['Acme', 'Globex'],
  )
  assert.equal((await victim('GET', 'me', undefined, { organization_id: globex.id })).status, 200)
})

test('a person with an account joins with its password', async () => {
  const email = newEmail()
  await accept({ token: (await invite(email)).token, password })
  const joined = ok(await accept({ token: (await invite(email.toUpperCase(), 'admin', globex.call)).token, password }))
  const me = await app.as(joined.access_token)('GET', 'me', undefined, { organization_id: globex.id })
  assert.equal(me.body.user.role, 'admin')
})

test('invitations cannot be used to guess passwords', async () => {
  const limited = await app.node({ RATE_LIMIT_LOGINS_PER_MINUTE: 3, TRUST_PROXY: true })
  const email = newEmail()
  await accept({ token: (await invite(email)).token, password })
  const { token } = await invite(email, 'member', globex.call)
  const statuses = []
  for (let n = 0; n < 5; n++) {
    const from = { 'x-forwarded-for': '10.0.0.1' }
    const guess = await limited.call('POST', 'invitations/accept', { token, password: `guess number ${n}` }, from)
    statuses.push(guess.status)
  }
  assert.deepEqual(statuses, [401, 401, 401, 429, 429])
})

test('accepting an invitation by cookie requires our own page', async () => {
  const email = newEmail()
  const first = await accept({ token: (await invite(email)).token, password })
  const { token } = await invite(email, 'member', globex.call)
  const cookie = `frontdesk_token=${first.body.access_token}`
  const send = (headers: Record<string, string>) => app.call('POST', 'invitations/accept', { token }, headers)
  assert.equal((await send({ cookie })).status, 403)
  assert.equal((await send({ cookie, origin: 'https://evil.example', 'x-frontdesk': '1' })).status, 403)
  assert.equal((await send({ cookie, origin: 'http://localhost', host: 'localhost', 'x-frontdesk': '1' })).status, 200)
})

test('an expired, withdrawn or unknown invitation answers 404', async () => {
  const expired = await invite(newEmail())
  await app.database.forSystem()
    .run`update invitations set expires_at = now() - interval '1 second' where id = ${expired.id}`
  const withdrawn = await invite(newEmail())
  const deleted = await owner.call('DELETE', `invitations/${withdrawn.id}`)
  assert.deepEqual([deleted.status, deleted.body], [200, { message: 'Invitation deleted successfully' }])
  for (const token of [expired.token, withdrawn.token, 'unknown']) {
    const answer = await accept({ token, password })
    assert.deepEqual([answer.status, answer.body], [404, notFound])
  }
})

test('there is one open invitation per email; an expired one is replaced, and a member cannot be invited', async () => {
  const email = newEmail()
  const racing = await Promise.all([1, 2, 3, 4].map(() => owner.call('POST', 'invitations', { email, role: 'member' })))
  assert.deepEqual(racing.map(({ status }) => status).sort(), [201, 409, 409, 409])
  const won = racing.find(({ status }) => status === 201)
  const again = await owner.call('POST', 'invitations', { email: email.toUpperCase(), role: 'admin' })
  assert.deepEqual([again.status, again.body.existing_id], [409, won?.body.id])
  await app.database.forSystem()
    .run`update invitations set expires_at = now() - interval '1 second' where id = ${won?.body.id}`
  const { token } = await invite(email)
  const joined = await accept({ token, password })
  const member = await owner.call('POST', 'invitations', { email, role: 'member' })
  assert.equal(member.status, 409)
  assert.equal(member.body.existing_id, (await app.as(joined.body.access_token)('GET', 'me')).body.user.id)
  assert.equal((await globex.call('POST', 'invitations', { email, role: 'member' })).status, 201)
})

test('a member cannot invite above their own role', async () => {
  const member = await person(app, acme.id, 'member')
  const status = async (call: CallAs, role: string) =>
    (await call('POST', 'invitations', { email: newEmail(), role })).status
  for (const role of ['owner', 'admin', 'member']) assert.equal(await status(member.call, role), 403)
  assert.deepEqual([await status(admin.call, 'owner'), await status(admin.call, 'admin')], [403, 201])
  assert.deepEqual([await status(acme.call, 'owner'), await status(acme.call, 'admin')], [403, 201])
  assert.equal(await status(owner.call, 'owner'), 201)
  const test = app.as((await app.key(acme.id)).secret)
  assert.equal(await status(test, 'member'), 403, 'people reach live mode, a test key does not')
  const lesser = app.as((await app.key(acme.id, { mode: 'live', scopes: ['contacts:write'] })).secret)
  assert.equal(await status(lesser, 'member'), 403)
  const forOwner = await invite(newEmail(), 'owner')
  assert.equal((await admin.call('DELETE', `invitations/${forOwner.id}`)).status, 403)
  assert.equal((await test('DELETE', `invitations/${forOwner.id}`)).status, 403)
})

test('the open invitations of an inviter who is removed or demoted are withdrawn', async () => {
  const removed = await person(app, acme.id, 'admin')
  const demoted = await person(app, acme.id, 'owner')
  const own = await invite(newEmail(), 'member', removed.call)
  const high = await invite(newEmail(), 'owner', demoted.call)
  const low = await invite(newEmail(), 'admin', demoted.call)
  await owner.call('DELETE', `members/${removed.id}`)
  await owner.call('PATCH', `members/${demoted.id}`, { role: 'admin' })
  assert.equal((await accept({ token: own.token, password })).status, 404)
  assert.equal((await accept({ token: high.token, password })).status, 404)
  assert.equal((await accept({ token: low.token, password })).status, 200)
})

test('another organization’s invitation answers 404, and members without permission see none', async () => {
  const { id } = await invite(newEmail())
  const stranger = await person(app, globex.id, 'owner')
  for (const call of [stranger.call, globex.call])
    for (const each of [id, unknownId, 'nonsense'])
      for (const method of ['GET', 'DELETE']) {
        const answer = await call(method, `invitations/${each}`)
        assert.deepEqual([answer.status, answer.body], [404, notFound], `${method} ${each}`)
      }
  assert.ok(
    (await globex.call('GET', 'invitations?limit=100')).body.data.every(
      (each: { organization_id: string }) => each.organization_id === globex.id,
    ),
  )
  const member = await person(app, acme.id, 'member')
  for (const [method, path] of [
    ['GET', 'invitations'],
    ['GET', `invitations/${id}`],
    ['DELETE', `invitations/${id}`],
  ] as const)
    assert.equal((await member.call(method, path)).status, 403)
  assert.equal((await owner.call('GET', `invitations/${id}`)).status, 200)
})

test('an invitation requires an email address and a role', async () => {
  for (const [body, loc] of [
    [{ role: 'member' }, ['body', 'email']],
    [{ email: 'nonsense', role: 'member' }, ['body', 'email']],
    [{ email: newEmail() }, ['body', 'role']],
    [{ email: newEmail(), role: 'king' }, ['body', 'role']],
  ] as const) {
    const answer = await owner.call('POST', 'invitations', body)
    assert.equal(answer.status, 422)
    assert.deepEqual(answer.body.detail[0].loc, loc)
  }
})

test('an invitation carries the access of the member, without what was deleted meanwhile', async () => {
  const live = app.as((await app.key(acme.id, { mode: 'live' })).secret)
  const newTeam = async (call: CallAs) => (await call('POST', 'teams', { name: `Team ${++guests}` })).body.id as string
  const [kept, gone, foreign] = [await newTeam(live), await newTeam(live), await newTeam(globex.call)]
  const test = app.as((await app.key(acme.id)).secret)
  const [channel] = (await test('GET', 'channels')).body.data
  const inTest = { 'x-mode': 'test' }
  const access = { channel_ids: [channel.id], team_ids: [kept, gone] }
  const offer = (more: object, headers = inTest) =>
    owner.call('POST', 'invitations', { email: newEmail(), role: 'member', access, ...more }, headers)
  const invited = await offer({})
  assert.equal(invited.status, 201, invited.text)
  assert.deepEqual(invited.body.access, access)
  assert.deepEqual((await owner.call('GET', `invitations/${invited.body.id}`)).body.access, access)
  assert.equal((await live('DELETE', `teams/${gone}`)).status, 200)
  ok(await accept({ token: tokenOf(invited), password }))
  const { data } = (await owner.call('GET', 'members?limit=100', undefined, inTest)).body
  const member = data.find(({ email }: { email: string }) => email === invited.body.email)
  assert.deepEqual(member.access, { channel_ids: [channel.id], team_ids: [kept] })

  const open = await offer({ access: null })
  assert.deepEqual([open.status, open.body.access], [201, null])
  for (const [more, status] of [
    [{ role: 'admin' }, 409],
    [{ access: { channel_ids: [], team_ids: [foreign] } }, 404],
    [{ access: { channel_ids: [unknownId], team_ids: [] } }, 404],
    [{ access: { channel_ids: ['x'], team_ids: [] } }, 422],
    [{ access: { team_ids: [] } }, 422],
  ] as const)
    assert.equal((await offer(more)).status, status, JSON.stringify(more))
  assert.equal((await offer({}, { 'x-mode': 'live' })).status, 404, 'the channel belongs to test mode')
})
