import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '../../testing/app.ts'
import { newCustomer, startChatApp } from '../../testing/conversations.ts'
import { startLlmServer } from '../../testing/llm-server.ts'
import { environmentOf, startProcess, temporaryFolder, until } from '../../testing/process.ts'

/** The test's own node runs no workers: a process that the test kills answers first, and then another node. */

const llm = await startLlmServer()
const { app, platform, newOrganization } = await startChatApp({ settings: { ...llm.settings, ROLE: 'api' } })
const acme = await newOrganization()
const agent = ok(await acme.call('POST', 'agents', { name: 'Desk' }), 201)
ok(await acme.call('PATCH', `channels/${acme.channelId}`, { agent_id: agent.id }))

const startDoomed = async () =>
  startProcess(await temporaryFolder(), {
    ROLE: 'worker',
    ...environmentOf(app),
    GRAPH_API_BASE_URL: platform.url,
    AGENT_REPLY_DELAY_MS: '0',
    ...llm.settings,
  })
const startNext = () => app.node({ ROLE: 'worker', AGENT_REPLY_DELAY_MS: 0 })

const answersOf = async (ticketId: string) =>
  ok(await acme.call('GET', `inbox/messages/${ticketId}`)).messages.filter(
    ({ actor_type }: { actor_type: string }) => actor_type === 'ai',
  )
const sentTexts = () => platform.sent.map(({ text }) => text?.body)

test('a worker killed while the model is running is replaced by one that answers, once', async () => {
  const doomed = await startDoomed()
  llm.next.push({ never: true })
  // A subscription receives events only from its first poll on.
  await until(async () => {
    const { rows } = await app.database.pools.system.query(
      `select from event_subscriptions where name = 'agent-replies'`,
    )
    return rows.length > 0
  })
  const { ticketId } = await acme.receives({ from: newCustomer(), body: 'Are you there?' })
  await until(async () => llm.requests.length === 1)
  await doomed.stop('SIGKILL')
  const next = await startNext()
  await until(async () => sentTexts().includes('You said: Are you there?'))
  assert.equal((await answersOf(ticketId)).length, 1)
  assert.deepEqual(
    sentTexts().filter((text) => text === 'You said: Are you there?'),
    ['You said: Are you there?'],
  )
  await next.close()
})

test('a worker killed after the platform accepted its answer leaves nothing to be answered again', async () => {
  const doomed = await startDoomed()
  platform.next.push(async () => {
    await doomed.stop('SIGKILL')
  })
  const from = newCustomer()
  const { ticketId } = await acme.receives({ from, body: 'Once only' })
  await doomed.exited
  const next = await startNext()
  // The next answer in the same ticket proves that the first message was not answered again.
  await acme.receives({ from, body: 'And now?' })
  await until(async () => sentTexts().includes('You said: And now?'))
  assert.equal(sentTexts().filter((text) => text === 'You said: Once only').length, 1)
  assert.equal((await answersOf(ticketId)).length, 2)
  await next.close()
})
