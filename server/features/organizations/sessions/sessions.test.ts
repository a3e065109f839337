import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { newId } from '../../../platform/ids.ts'
import { ok, startTestApp } from '../../../testing/app.ts'
import { person, signInByLink } from '../../../testing/people.ts'
import type { Session } from './schema.ts'

const app = await startTestApp()
const acme = await app.organization()
const sql = app.database.forSystem()

const refresh = (refresh_token: string, node = app) => node.call('POST', 'auth/refresh', { refresh_token })
const idsOf = ({ data }: { data: Session[] }) => data.map(({ id }) => id)

test('a person lists their open sessions, newest first, and recognizes the current one', async () => {
  const ada = await person(app, acme.id, 'member')
  await person(app, acme.id, 'member')
  const again = await signInByLink(app, ada.id)
  const listed = ok(await ada.call('GET', 'auth/sessions'))
  const [newer, current] = listed.data as [Session, Session]
  assert.deepEqual([newer.is_current, current.is_current], [false, true])
  const { id, created_at, last_used_at, expires_at, ...rest } = current
  assert.deepEqual(rest, {
    signed_in_by: 'link',
    user_agent: 'lightMyRequest',
    ip_address: '127.0.0.1',
    is_current: true,
  })
  assert.equal(Date.parse(expires_at) - Date.parse(created_at), 12 * 3_600_000)
  assert.equal(last_used_at, created_at)
  assert.equal(listed.total_count, 2)
  const first = (await again.call('GET', 'auth/sessions?limit=1')).body
  assert.deepEqual([idsOf(first), first.has_more], [[newer.id], true])
  assert.deepEqual(idsOf((await again.call('GET', `auth/sessions?starting_after=${newer.id}`)).body), [id])
})

test('a person ends one session, and all others at once', async () => {
  const ada = await person(app, acme.id, 'member')
  const [second, third] = [await signInByLink(app, ada.id), await signInByLink(app, ada.id)]
  const sessionId = (await second.call('GET', 'auth/sessions')).body.data[1].id
  const ended = await ada.call('DELETE', `auth/sessions/${sessionId}`)
  assert.deepEqual([ended.status, ended.body], [200, { message: 'Session ended' }])
  assert.equal((await second.call('GET', 'me')).status, 401)
  assert.equal((await refresh(second.refreshToken)).status, 401)
  assert.equal((await ada.call('DELETE', `auth/sessions/${sessionId}`)).status, 404, 'it has ended already')
  const others = await ada.call('DELETE', 'auth/sessions')
  assert.deepEqual([others.status, others.body], [200, { message: 'Signed out everywhere else' }])
  assert.equal((await third.call('GET', 'me')).status, 401)
  assert.equal((await ada.call('GET', 'auth/sessions')).body.total_count, 1)
  const { data } = (await acme.call('GET', `audit-log?action=session.ended&actor_id=${ada.id}`)).body
  assert.equal(data.length, 2)
})

test('sessions of other people are neither listed nor ended, and keys have none', async () => {
  const [ada, eve] = [await person(app, acme.id, 'member'), await person(app, acme.id, 'owner')]
  const sessionId = (await ada.call('GET', 'auth/sessions')).body.data[0].id
  for (const id of [sessionId, newId(), 'no-id'])
    assert.equal((await eve.call('DELETE', `auth/sessions/${id}`)).status, 404)
  await eve.call('DELETE', 'auth/sessions')
  assert.equal((await ada.call('GET', 'me')).status, 200)
  for (const [method, path] of [
    ['GET', 'auth/sessions'],
    ['DELETE', 'auth/sessions'],
    ['DELETE', `auth/sessions/${sessionId}`],
  ] as const) {
    assert.deepEqual((await acme.call(method, path)).body, { detail: 'Only people have sessions' })
    assert.equal((await app.call(method, path)).status, 401)
  }
  assert.equal((await ada.call('GET', 'auth/sessions?limit=0')).status, 422)
})

test('a person who belongs to several organizations need not choose one', async () => {
  const globex = await app.organization()
  const ada = await person(app, [acme.id, globex.id], 'member')
  assert.equal((await ada.call('GET', 'auth/sessions')).body.total_count, 1)
})

const LastUsed = Type.Object({ seconds: Type.Number() })
const unusedFor = (userId: string, minutes: number) =>
  sql.run`update sessions set last_used_at = now() - make_interval(mins => ${minutes}) where user_id = ${userId}`

test('an idle session ends; one that is used does not', async () => {
  const node = await app.node({ SESSION_IDLE_MINUTES: 15 })
  const [idle, busy] = [await person(app, acme.id, 'member'), await person(app, acme.id, 'member')]
  await unusedFor(idle.id, 16)
  await unusedFor(busy.id, 14)
  assert.equal((await node.as(idle.token)('GET', 'me')).status, 401)
  assert.equal((await refresh(idle.refreshToken, node)).status, 401)
  assert.equal((await node.as(busy.token)('GET', 'me')).status, 200)
  // A node writes what was used every few seconds, and when it closes.
  await node.close()
  const { seconds } = await sql.one(LastUsed)`
    select extract(epoch from now() - last_used_at)::float8 as seconds from sessions where user_id = ${busy.id}`
  assert.ok(seconds < 60)
  assert.equal((await app.as(idle.token)('GET', 'me')).status, 200, 'without the setting, idleness ends nothing')
})

test('a session ends after its longest lifetime, however much it is used', async () => {
  const node = await app.node({ SESSION_HOURS: 2 })
  const ada = await person(node, acme.id, 'member')
  const { created_at, expires_at } = (await ada.call('GET', 'auth/sessions')).body.data[0]
  assert.equal(Date.parse(expires_at) - Date.parse(created_at), 2 * 3_600_000)
  const earlier = await person(app, acme.id, 'member')
  await sql.run`update sessions set created_at = now() - interval '3 hours' where user_id = ${earlier.id}`
  assert.equal((await node.as(earlier.token)('GET', 'me')).status, 401, 'also one that was opened for longer')
  assert.equal((await refresh(earlier.refreshToken, node)).status, 401)
})
