import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { sign } from '../../../../simulator/carrier/callbacks.ts'
import { startTestApp } from '../../../testing/app.ts'
import { createReceptionist, place, untilCall } from '../../../testing/calls.ts'
import { handling, listenLocally } from '../../../testing/listen-locally.ts'
import {
  environmentOf,
  freePort,
  type Running,
  startProcess,
  temporaryFolder,
  until,
} from '../../../testing/process.ts'

/** A minimal live carrier: it accepts a call, then kills the worker that placed it. */
const dialed: URLSearchParams[] = []
let placedBy: Running | undefined
const carrier = createServer(
  handling(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    if (request.method !== 'POST') return void response.writeHead(404).end('{"code":20404}')
    dialed.push(new URLSearchParams(Buffer.concat(chunks).toString()))
    await placedBy?.stop('SIGKILL')
    request.socket.destroy()
  }),
)
const { url: carrierUrl } = await listenLocally(carrier)

const port = await freePort()
const settings = {
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  TELEPHONY_BASE_URL: carrierUrl,
}
const app = await startTestApp({ settings: { ...settings, ROLE: 'api' } })
await app.server.listen({ host: '127.0.0.1', port })
const environment = {
  ...settings,
  ...environmentOf(app),
}
const org = await app.organization({ mode: 'live' })

test('a call is not dialed again after its worker is killed between the dial and recording it', async () => {
  const agent_id = await createReceptionist(org)
  const voice = { provider: 'twilio', account_sid: 'AC1', auth_token: 'token', phone_number_id: 'PN1' }
  const { body: channel } = await org.call('POST', 'channels', { phone_number: '+12025550100', voice })
  placedBy = await startProcess(await temporaryFolder(), { ...environment, ROLE: 'worker' })
  const { body } = await place(org, { agent_id, to_number: '+12025550142' })
  await until(async () => dialed.length === 1)
  await placedBy.exited
  placedBy = undefined

  // Another worker starts. Once it has dialed a later call, it would also have dialed the first one again.
  const next = await app.node({ ...settings, ROLE: 'worker' })
  const { body: later } = await place(org, { agent_id, to_number: '+12025550143' })
  await until(async () => dialed.length === 2)
  assert.deepEqual(
    dialed.map((form) => form.get('To')),
    ['+12025550142', '+12025550143'],
  )
  for (const { id } of [body, later])
    assert.equal((await org.call('GET', `calls/${id}`)).body.telephony_status, 'dialing')

  const path = `/hooks/voice/${channel.id}/calls/${body.id}/status`
  assert.equal(dialed[0]?.get('StatusCallback'), settings.PUBLIC_URL + path)
  const form = { CallSid: 'CA1', CallStatus: 'busy', SequenceNumber: '2' }
  const callback = await fetch(settings.PUBLIC_URL + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': sign(settings.PUBLIC_URL + path, form, 'token'),
    },
    body: new URLSearchParams(form),
  })
  assert.equal(callback.status, 200)
  const settled = await untilCall(org, body.id, ({ status }) => status !== 'in-progress')
  assert.deepEqual([settled.status, settled.call_id], ['busy', 'CA1'])
  await app.database.forSystem().run`update calls set deadline_at = now() - interval '1 second' where id = ${later.id}`
  const reaped = await untilCall(org, later.id, ({ status }) => status !== 'in-progress')
  assert.deepEqual([reaped.status, reaped.ended_reason], ['failed', 'dial_unknown'])
  assert.equal(dialed.length, 2)
  await next.close()
})
