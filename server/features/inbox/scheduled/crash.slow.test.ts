import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '../../../testing/app.ts'
import { connectOwner } from '../../../testing/connect-owner.ts'
import { startChatApp } from '../../../testing/conversations.ts'
import { environmentOf, startProcess, temporaryFolder, until } from '../../../testing/process.ts'

/** The test's own node runs no workers: a process that the test kills sends first, and then another node. */

const { app, platform, newOrganization } = await startChatApp({ settings: { ROLE: 'api' } })
const acme = await newOrganization()
const owner = await connectOwner(app)

const startDoomed = async () =>
  startProcess(await temporaryFolder(), {
    ROLE: 'worker',
    ...environmentOf(app),
    GRAPH_API_BASE_URL: platform.url,
  })

const sentTexts = () => platform.sent.map(({ text }) => text?.body)

test('a worker killed while it sends a scheduled message leaves nothing to be sent again', async () => {
  const { ticketId } = await acme.receives({ from: '+12025558101' })
  const schedule = async (body: string) =>
    ok(await acme.call('POST', `inbox/tickets/${ticketId}/scheduled-messages`, { body, delay_seconds: 1 }), 201)
  const doomed = await startDoomed()
  platform.next.push(async () => {
    await doomed.stop('SIGKILL')
  })
  const first = await schedule('Once only')
  await doomed.exited
  // As if the time had passed after which a silent worker's job is retried.
  await owner.query(`update pgboss.job set heartbeat_on = now() - interval '1 minute' where state = 'active'`)
  const next = await app.node({ ROLE: 'worker' })
  const second = await schedule('And another')
  await until(async () => sentTexts().includes('And another'))
  // The job of the first one is retried, and finds nothing to do.
  const Job = `select state from pgboss.job where name = 'inbox.send-scheduled' and data ->> 'scheduledMessageId' = $1`
  await until(async () => {
    const { rows } = await app.database.pools.system.query(Job, [first.id])
    return rows.every(({ state }) => state === 'completed')
  })
  const status = async (id: string) => ok(await acme.call('GET', `inbox/scheduled-messages/${id}`)).status
  assert.deepEqual([await status(first.id), await status(second.id)], ['sent', 'sent'])
  assert.equal(sentTexts().filter((text) => text === 'Once only').length, 1)
  await next.close()
})
