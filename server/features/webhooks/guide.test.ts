import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventKinds } from '../../app.ts'
import { startTestApp } from '../../testing/app.ts'
import { freePort, until } from '../../testing/process.ts'
import { makeWebhook, untilDelivery } from '../../testing/webhook-receivers.ts'

const root = join(import.meta.dirname, '../../..')
const app = await startTestApp({ settings: { OUTBOUND_ALLOW: ['127.0.0.1'], WEBHOOK_RETRY_SECONDS: ['0.2'] } })

const guide = readFileSync(join(root, 'docs/guides/receive-webhooks.md'), 'utf8')

test('the guide lists every event type, and no other', () => {
  const [, table = ''] = /\| Kind \| Types \|\n(.*?)\n\n/s.exec(guide) ?? []
  const named = [...table.matchAll(/`([a-z_.]+)`/g)].map(([, type]) => type)
  assert.deepEqual(named.sort(), eventKinds.map(({ type }) => type).sort())
})

test('the guide’s receiver has ten lines, accepts signed requests and refuses others', async () => {
  const [, code] = /```js\n([\s\S]*?)```/.exec(guide) as unknown as [string, string]
  assert.equal(code.split('\n').filter((line) => line.trim()).length, 10)

  const { call } = await app.organization()
  const port = await freePort()
  const webhook = await makeWebhook(call, `http://127.0.0.1:${port}/`, ['contact.created'])
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    cwd: join(root, 'server'),
    env: { PATH: process.env.PATH, PORT: String(port), WEBHOOK_SECRET: webhook.secret },
  })
  after(() => child.kill())
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  const url = `http://127.0.0.1:${port}/`
  await until(async () => {
    assert.equal(child.exitCode, null, output)
    return (await fetch(url).catch(() => undefined)) !== undefined
  })
  const contact = (await call('POST', 'contacts', { phone_number: '+12025550142' })).body
  const [event] = (await call('GET', 'events')).body.data
  const delivery = await untilDelivery(call, webhook.id, event.id, ({ status }) => status !== 'pending')
  assert.deepEqual([delivery.status, delivery.response?.status], ['succeeded', 204])
  await until(async () => output.includes(`${event.id} contact.created ${contact.id}`))

  const forged = {
    ...delivery.request?.headers,
    'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  }
  const refused = await fetch(url, { method: 'POST', headers: forged, body: delivery.request?.body ?? '' })
  assert.equal(refused.status, 400)
})
