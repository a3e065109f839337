import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type CallAs, startTestApp } from '../../../testing/app.ts'
import { person, untilStatus } from '../../../testing/people.ts'

const app = await startTestApp()
const node = await app.node()
const acme = await app.organization({ mode: 'live' })
const owner = await person(app, acme.id, 'owner')

/**
 * Two nodes on which no request revokes anything, so that no signal is sent: only the cache expiry ends a credential.
 */
const unheard = await startTestApp()
const unheardNode = await unheard.node()
const globex = await unheard.organization({ mode: 'live' })
const silently = unheard.database.forSystem()

/** Both nodes accept the caller; then the change happens, and both refuse. */
async function endsEverywhere(t: TestContext, token: string, change: () => Promise<unknown>, nodes = [app, node]) {
  const calls = nodes.map((each, n): [string, CallAs] => [`node ${n + 1}`, each.as(token)])
  for (const [name, call] of calls)
    assert.equal((await call('GET', 'contacts')).status, 200, `${name} accepted it before`)
  await change()
  const waits = await Promise.all(calls.map(([, call]) => untilStatus(() => call('GET', 'contacts'), 401)))
  t.diagnostic(`refused after ${waits.map((ms) => ms.toFixed(0)).join(' and ')} ms`)
}

test('a key revoked on one node is refused by the other', async (t) => {
  const { id, secret } = await app.key(acme.id)
  await endsEverywhere(t, secret, () => acme.call('DELETE', `keys/${id}`))
})

test('a key rolled on one node is refused by the other when the overlap is over', async (t) => {
  const { id, secret } = await app.key(acme.id)
  await endsEverywhere(t, secret, () => acme.call('POST', `keys/${id}/roll`, { overlap_seconds: 1 }))
})

test('a session closed on one node is refused by the other', async (t) => {
  const bob = await person(app, acme.id, 'member')
  await endsEverywhere(t, bob.token, () => bob.call('POST', 'auth/logout'))
})

test('a member removed on one node is refused by the other', async (t) => {
  const bob = await person(app, acme.id, 'member')
  await endsEverywhere(t, bob.token, () => owner.call('DELETE', `members/${bob.id}`))
})

test('a role that is taken away no longer counts on the other node', async (t) => {
  const bob = await person(app, acme.id, 'admin')
  assert.equal((await node.as(bob.token)('GET', 'keys')).status, 200)
  await owner.call('PATCH', `members/${bob.id}`, { role: 'member' })
  assert.equal((await bob.call('GET', 'keys')).status, 403)
  t.diagnostic(`refused after ${(await untilStatus(() => node.as(bob.token)('GET', 'keys'), 403)).toFixed(0)} ms`)
})

test('without any signal a revoked key, a deleted organization, a closed session and a removed member are refused', async (t) => {
  const nodes = [unheard, unheardNode]
  const key = await unheard.key(globex.id)
  const gone = await unheard.organization()
  const [out, removed] = [await person(unheard, globex.id, 'member'), await person(unheard, globex.id, 'member')]
  await Promise.all([
    endsEverywhere(t, key.secret, () => silently.run`update keys set revoked_at = now() where id = ${key.id}`, nodes),
    endsEverywhere(t, gone.key, () => silently.run`delete from organizations where id = ${gone.id}`, nodes),
    endsEverywhere(
      t,
      out.token,
      () => silently.run`update sessions set revoked_at = now() where user_id = ${out.id}`,
      nodes,
    ),
    endsEverywhere(t, removed.token, () => silently.run`delete from members where user_id = ${removed.id}`, nodes),
  ])
})
