import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { randomToken } from '../../platform/secrets.ts'
import { startTestApp } from '../../testing/app.ts'
import { registerBootstrapKey } from './register-bootstrap-key.ts'

const Count = Type.Object({ n: Type.Number() })
const newToken = (mode = 'test') => `svc_sk_${mode}_${randomToken()}`

test('nodes that start concurrently register the key once, in one organization', async () => {
  const app = await startTestApp()
  const token = newToken()
  const nodes = [app, await app.node(), await app.node()]
  const registered = await Promise.all(
    [...nodes, ...nodes].map((node) => node.database.inSystem((tx) => registerBootstrapKey(tx, token))),
  )
  assert.equal(registered.filter(Boolean).length, 1)
  const { n } = await app.database.forSystem().one(Count)`select count(*) as n from organizations`
  assert.equal(n, 1)
  for (const node of nodes) {
    const me = await node.as(token)('GET', 'me')
    assert.deepEqual([me.status, me.body.mode, me.body.scopes], [200, 'test', ['full_access']])
  }
})

test('the key belongs to the oldest organization and has the mode of its prefix', async () => {
  const app = await startTestApp()
  const oldest = await app.organization({ name: 'Oldest' })
  await app.organization({ name: 'Newer' })
  const token = newToken('live')
  assert.equal(await app.database.inSystem((tx) => registerBootstrapKey(tx, token)), true)
  const me = await app.as(token)('GET', 'me')
  assert.deepEqual([me.body.organization.id, me.body.mode], [oldest.id, 'live'])
  const key = await app.as(token)('GET', `keys/${me.body.key.id}`)
  assert.deepEqual([key.body.prefix, key.body.last_four], ['svc_sk_live_', token.slice(-4)])
})

test('a bootstrap key that was revoked stays revoked', async () => {
  const app = await startTestApp()
  const token = newToken()
  await app.database.inSystem((tx) => registerBootstrapKey(tx, token))
  const { body } = await app.as(token)('GET', 'me')
  assert.equal((await app.as(token)('DELETE', `keys/${body.key.id}`)).status, 200)
  assert.equal(await app.database.inSystem((tx) => registerBootstrapKey(tx, token)), false)
  assert.equal((await app.as(token)('GET', 'me')).status, 401)
  const another = newToken()
  assert.equal(await app.database.inSystem((tx) => registerBootstrapKey(tx, another)), true)
  assert.equal((await app.as(another)('GET', 'me')).body.organization.id, body.organization.id)
})
