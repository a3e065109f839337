import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { pino } from 'pino'
import Type from 'typebox'
import { createSimulator } from '../../../../simulator/create-simulator.ts'
import { createMemoryStore } from '../../../../simulator/store.ts'
import { ok, startTestApp, type TestApp, type TestOrganization } from '../../../testing/app.ts'
import { listenLocally } from '../../../testing/listen-locally.ts'
import { until } from '../../../testing/process.ts'
import { startTestSimulator } from '../../../testing/simulator.ts'

/** Another simulator plays the live platform. */
const platform = await startTestSimulator()
const app = await startTestApp({ settings: { GRAPH_API_BASE_URL: platform.url } })
await app.listen()
const acme = await app.organization()
const live = app.as((await app.key(acme.id, { mode: 'live' })).secret)

const chat = {
  phone_number_id: platform.phoneNumberId,
  business_account_id: platform.account,
  access_token: platform.token,
  app_secret: platform.appSecret,
  verify_token: 'verify',
}
let names = 0
const draft = (channel_id: string) => ({
  channel_id,
  name: `greeting_${++names}`,
  language: 'en_US',
  category: 'UTILITY',
  components: [{ type: 'BODY', text: 'We are open today.' }],
})
const firstChannel = async ({ call }: Pick<TestOrganization, 'call'>) => (await call('GET', 'channels')).body.data[0].id

async function approved(call: TestOrganization['call'], channelId: string): Promise<void> {
  const created = ok(await call('POST', 'templates', draft(channelId)), 201)
  await until(async () => (await call('GET', `templates/${created.id}`)).body.remote_template_id !== null)
}

/** A customer writes and gets a reply. */
async function conversation(node: Pick<TestApp, 'as'>, organization: TestOrganization, from: string) {
  const call = node.as(organization.key)
  ok(await call('POST', 'simulator/messages', { from, text: 'hi' }), 202)
  let ticket: { id: string } | undefined
  await until(async () => {
    const { body } = await call('GET', 'inbox/tickets')
    ticket = body.inboxes.find(({ contact }: { contact: { phone_number: string } }) => contact.phone_number === from)
    return ticket !== undefined
  })
  const path = `inbox/messages/${ticket?.id}`
  const reply = ok(await call('POST', path, { message_type: 'text', body: 'hello' }), 201)
  const status = async (through: Pick<TestApp, 'as'> = node) => {
    const { body } = await through.as(organization.key)('GET', `${path}?order=desc`)
    return body.messages[0].status as string
  }
  return { reply: reply, status }
}

test('using a live channel without a chat side is refused with what to configure', async () => {
  const channel = await live('POST', 'channels', { phone_number: '+14155550111' })
  const refused = await live('POST', 'templates', draft(channel.body.id))
  assert.equal(refused.status, 409, refused.text)
  assert.match(refused.body.detail, /chat/)
})

test('a live channel calls the configured platform with its own token', async () => {
  const channel = ok(await live('POST', 'channels', { phone_number: '+14155550112', chat }), 201)
  await approved(live, channel.id)
  const { body } = await platform.graph('GET', `${platform.account}/message_templates`)
  assert.deepEqual(
    body.data.map(({ name }: { name: string }) => name),
    [`greeting_${names}`],
  )
})

test('a channel of another organization or mode is 404', async () => {
  const globex = await app.organization()
  assert.equal((await globex.call('POST', 'templates', draft(await firstChannel(acme)))).status, 404)
  assert.equal((await live('POST', 'templates', draft(await firstChannel(acme)))).status, 404)
})

test('test mode never calls the live platform, whatever its channels contain', async () => {
  let calls = 0
  const forbidden = createServer((_request, response) => {
    calls++
    response.end('{}')
  })
  const { url: GRAPH_API_BASE_URL } = await listenLocally(forbidden)
  const other = await startTestApp({ settings: { GRAPH_API_BASE_URL } })
  await other.listen()
  const organization = await other.organization()
  const channel = await organization.call('POST', 'channels', { phone_number: '+14155550113', chat })
  await approved(organization.call, channel.body.id)
  ok(
    await organization.call('POST', 'simulator/messages', {
      from: '+14155550177',
      channel_id: channel.body.id,
    }),
    202,
  )
  const { status } = await conversation(other, organization, '+14155550178')
  await until(async () => (await status()) === 'read')
  await organization.call('POST', 'templates/sync', {})
  await organization.call('GET', 'templates/library')
  assert.equal(calls, 0)
  const { body } = await other.control('GET', 'numbers')
  assert.ok(
    body.data.some(({ phone_number_id }: { phone_number_id: string }) => phone_number_id === chat.phone_number_id),
  )
  assert.doesNotMatch(JSON.stringify(body), /token|secret/)
})

test('a changed channel is registered with the simulator again', async () => {
  const organization = await app.organization()
  const id = await firstChannel(organization)
  const known = async () => {
    const { body } = await app.control('GET', 'numbers')
    return body.data.find((number: { owner: string }) => number.owner === organization.id)
  }
  await approved(organization.call, id)
  assert.equal((await known()).messages_per_second, 80)
  await organization.call('PATCH', `channels/${id}`, { messages_per_second: 7, display_name: 'Desk' })
  await approved(organization.call, id)
  const { messages_per_second, verified_name, display_phone_number } = await known()
  assert.deepEqual([messages_per_second, verified_name, display_phone_number], [7, 'Desk', '+18005550199'])
})

test('the simulator’s records contain no plaintext token or secret', async () => {
  await approved(acme.call, await firstChannel(acme))
  const rows = await app.database.forSystem().all(Type.Unsafe<{ row: string; sealed: Buffer | null }>({}))`
    select to_jsonb(r) #>> '{}' as row, sealed from simulator_records r where kind in ('number', 'token')`
  assert.ok(rows.some(({ sealed }) => sealed !== null))
  for (const { row } of rows) assert.doesNotMatch(row, /access_token|app_secret/)
})

test('a worker without an API finds the address of the webhook receiver', async () => {
  const api = await startTestApp({ settings: { ROLE: 'api' } })
  await api.listen()
  await api.node({ ROLE: 'worker' })
  const organization = await api.organization()
  const id = await firstChannel(organization)
  const created = await organization.call('POST', 'templates', draft(id))
  await until(async () => (await organization.call('GET', `templates/${created.body.id}`)).body.status === 'APPROVED')
  // The worker registered the number with its own simulator; the API node's simulator knows it too.
  const remote = (await organization.call('GET', `templates/${created.body.id}`)).body.remote_template_id
  await organization.call('POST', 'simulator/messages', { from: '+14155550177', text: 'hi' })
  const { body } = await api.control('GET', `templates?phone_number_id=${id}`)
  assert.deepEqual(
    body.data.map((template: { id: string }) => template.id),
    [remote],
  )
  const { status } = await conversation(api, organization, '+14155550178')
  await until(async () => (await status()) === 'read')
})

test('webhooks that a stopped node had not delivered are delivered by the next one', async () => {
  const base = await startTestApp({ settings: { ROLE: 'api' } })
  const organization = await base.organization()
  // The message is read after ten seconds: the node has stopped before, on a slow machine too.
  const first = await base.node({ ROLE: 'all', SIMULATOR_SPEED: 0.15 })
  await first.listen()
  const { status } = await conversation(first, organization, '+14155550178')
  await first.close()
  assert.notEqual(await status(base), 'read')
  const second = await base.node({ ROLE: 'all' })
  await second.listen()
  await until(async () => (await status(second)) === 'read')
})

test('an external simulator works, also after it was restarted', async () => {
  const start = async (port: number) => {
    const simulator = createSimulator({
      store: createMemoryStore(),
      speed: 0,
      log: pino({ level: 'silent' }),
      speech: () => assert.fail('no call is expected'),
    })
    return { simulator, url: await simulator.listen({ host: '127.0.0.1', port }) }
  }
  const { simulator, url } = await start(0)
  const node = await startTestApp({ settings: { SIMULATOR_URL: url } })
  await node.listen()
  const organization = await node.organization()
  const before = await conversation(node, organization, '+14155550178')
  await until(async () => (await before.status()) === 'read')
  await simulator.close()
  const channel = await firstChannel(organization)
  const unreachable = await organization.call('GET', 'templates/library')
  assert.equal(unreachable.status, 502, unreachable.text)
  const again = await start(Number(new URL(url).port))
  await approved(organization.call, channel)
  const later = await conversation(node, organization, '+14155550179')
  await until(async () => (await later.status()) === 'read')
  await again.simulator.close()
  const refused = await organization.call('POST', 'simulator/messages', { from: '+14155550180', text: 'hi' })
  assert.equal(refused.status, 502)
  assert.equal(refused.body.upstream.code, 'simulator')
})
