import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sign } from '../../../simulator/carrier/callbacks.ts'
import { simulatedAccount } from '../../features/calls/carriers/carriers.ts'
import { createSecretBox } from '../../platform/secrets.ts'
import { startTestApp } from '../app.ts'
import { createReceptionist, ended } from '../calls.ts'

const app = await startTestApp()
const acme = await app.organization()
const agent_id = await createReceptionist(acme)
const [channel] = (await acme.call('GET', 'channels')).body.data
await acme.call('PATCH', `channels/${channel.id}`, { agent_id })

test('a draining node is not ready, serves requests on connections that it closes, and takes no new calls', async () => {
  const node = await app.node({ DRAIN_DELAY_SECONDS: 0 })
  const url = await node.listen()
  const authorization = `Bearer ${acme.key}`
  const before = await fetch(`${url}/readyz`)
  assert.deepEqual([before.status, before.headers.get('connection')], [200, 'keep-alive'])
  await node.drain(new AbortController().signal)

  const readiness = await fetch(`${url}/readyz`)
  assert.equal(readiness.status, 503)
  assert.deepEqual(await readiness.json(), { status: 'draining', checks: {} })
  assert.equal((await fetch(`${url}/healthz`)).status, 200)
  const served = await fetch(`${url}/api/v1/contacts`, { headers: { authorization } })
  assert.deepEqual([served.status, served.headers.get('connection')], [200, 'close'])

  const web = await node.as(acme.key)('POST', 'calls/web', { agent_id })
  assert.equal(web.status, 409)
  assert.match(web.body.detail, /stopping/)

  const inbound = `${url}/hooks/voice/${channel.id}/inbound`
  const form = { CallSid: 'CA1', CallStatus: 'ringing', From: '+12025550142', To: channel.phone_number }
  const { authToken } = simulatedAccount(createSecretBox(app.settings.SECRET_KEY as string), acme.id)
  const answer = await fetch(inbound, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': sign(inbound, form, authToken),
    },
    body: new URLSearchParams(form),
  })
  assert.match(await answer.text(), /<Reject reason="busy"/)
  const { body: log } = await acme.call('GET', 'call-logs?search=CA1')
  assert.equal((await ended(acme, log.items[0].id)).ended_reason, 'all_lines_busy')
  await node.close()
})
