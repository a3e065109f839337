import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sharedTestApp } from '../../server/testing/app.ts'
import { startFaultyProxy } from '../testing/faulty-proxy.ts'
import {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  createClient,
  type FrontdeskError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ValidationError,
} from './index.ts'

const app = await sharedTestApp()
const baseUrl = await app.listen()
const acme = await app.organization({ owner: 'olive@example.com' })
const client = createClient({ baseUrl, apiKey: acme.key })

test('every operation of the API has a method', () => {
  const document = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'))
  const documented = Object.values<object>(document.paths).flatMap((path) => Object.keys(path)).length
  const offered = Object.values(client).flatMap((resource) => Object.values(resource))
  assert.equal(offered.length, documented)
  assert.ok(offered.every((method) => typeof method === 'function'))
})

test('a contact is created, read, changed, annotated and deleted', async () => {
  const contact = await client.contacts.create({ phone_number: '+12025550142', name: 'Ada', tags: ['vip'] })
  assert.equal((await client.contacts.get(contact.id)).name, 'Ada')
  assert.equal((await client.contacts.update(contact.id, { stage: 'qualified' })).stage, 'qualified')
  const note = await client.contacts.createActivity(contact.id, { note: 'Prefers mornings' })
  assert.deepEqual(note.payload, { note: 'Prefers mornings' })
  const task = await client.tasks.create({ contact_id: contact.id, title: 'Call back' })
  assert.equal((await client.tasks.update(task.id, { status: 'completed' })).status, 'completed')
  assert.deepEqual(await client.contacts.delete(contact.id), { message: 'Contact deleted successfully' })
})

test('a query beside a body is passed in the options', async () => {
  const [first, again] = await Promise.all([
    client.contacts.create({ phone_number: '+12025550143' }, { query: { on_conflict: 'return' } }),
    client.contacts.create({ phone_number: '+12025550143' }, { query: { on_conflict: 'return' } }),
  ])
  assert.equal(first.id, again.id)
})

test('a list in a query is repeated, and undefined values are omitted', async () => {
  const { id } = await client.contacts.create({ phone_number: '+12025550144' })
  await client.contacts.createActivity(id, { note: 'one' })
  const page = await client.contacts.listActivities(id, {
    type: ['note_added', 'contact_created'],
    activity_types: undefined,
    limit: 10,
  })
  assert.deepEqual(
    page.activities.map(({ type }) => type),
    ['note_added', 'contact_created'],
  )
})

test('each error status has its class, its message and its request id', async () => {
  const { id } = await client.contacts.create({ phone_number: '+12025550145' })
  const withoutScope = await app.key(acme.id, { scopes: ['inbox:read'] })
  const reader = createClient({ baseUrl, apiKey: withoutScope.secret })
  const stranger = createClient({ baseUrl, apiKey: 'svc_sk_test_of_nobody' })

  const missing = await failure(client.contacts.get('01976f3e-6f0a-7c44-9a51-0d3f5a1b2c3d'), NotFoundError)
  assert.deepEqual(
    [missing.status, missing.detail, missing.message],
    [404, 'Contact not found', '404 Contact not found'],
  )
  assert.match(missing.requestId ?? '', /^[0-9a-f-]{36}$/)

  const taken = await failure(client.contacts.create({ phone_number: '+12025550145' }), ConflictError)
  assert.equal(taken.existingId, id)

  const faulty = await failure(client.contacts.create({ phone_number: 'x', tags: [''] }), ValidationError)
  assert.deepEqual(faulty.faults, [
    { loc: ['body', 'tags', '0'], msg: 'tags[0] must not be empty', type: 'string_too_short' },
  ])
  assert.equal(faulty.detail, 'body.tags.0: tags[0] must not be empty')

  const forbidden = await failure(reader.contacts.list(), PermissionError)
  assert.equal(forbidden.requiredScope, 'contacts:read')

  await failure(stranger.organization.get(), AuthenticationError)
  const tool = { name: 'find order', url: 'nowhere' }
  const agent = await failure(client.agents.create({ name: ' ', agent_config: { tools: [tool] } }), ValidationError)
  assert.equal(agent.status, 400)
  assert.deepEqual(agent.faults.map(({ loc }) => loc.join('.')).sort(), [
    'body.agent_config.tools.0.name',
    'body.agent_config.tools.0.url',
    'body.name',
  ])
  const sent = await failure(client.contacts.get(id, { headers: { 'x-mode': 'nonsense' } }), ValidationError)
  assert.deepEqual([sent.status, sent.faults], [400, []])
})

test('a rate limit error says how long to wait', async () => {
  const slow = await app.node({ RATE_LIMIT_PER_MINUTE: 1 })
  const { key } = await app.organization()
  const hasty = createClient({ baseUrl: await slow.listen(), apiKey: key, maxRetries: 0 })
  await hasty.organization.get()
  const limited = await failure(hasty.organization.get(), RateLimitError)
  assert.ok((limited.retryAfterSeconds as number) >= 1 && (limited.retryAfterSeconds as number) <= 60)
})

test('a response that is not JSON is reported as text', async () => {
  const proxy = await startFaultyProxy(baseUrl)
  const behind = createClient({ baseUrl: proxy.url, apiKey: acme.key, maxRetries: 0 })
  proxy.next({ status: 413, body: '<h1>Too large</h1>' })
  const error = await failure(behind.organization.get(), ApiError)
  assert.deepEqual([error.message, error.body], ['413 Payload Too Large', '<h1>Too large</h1>'])
  proxy.next({ status: 200, body: '<h1>Sign in to the hotel</h1>' })
  await failure(behind.organization.get(), ConnectionError)
})

test('ids cannot change the path of a request', async () => {
  for (const id of ['', '.', '..', undefined, 7])
    assert.throws(() => client.contacts.get(id as string), /contact_id must be an id/)
  await failure(client.contacts.get('../keys'), NotFoundError)
  await failure(client.contacts.get('x?limit=1'), NotFoundError)
})

test('a client without its required options throws immediately', () => {
  assert.throws(() => createClient({ apiKey: 'x' }), /baseUrl must say where the service is/)
  assert.throws(() => createClient({ baseUrl: 'frontdesk' }), /baseUrl/)
  // A trailing slash is ignored.
  assert.ok(createClient({ baseUrl: `${baseUrl}//` }))
})

test('a person chooses mode and organization, and an expired token is renewed once', async () => {
  const { secret } = await app.key(acme.id, { mode: 'live', createdBy: acme.ownerId })
  let token = 'expired'
  let renewals = 0
  const live = createClient({
    baseUrl,
    apiKey: async () => token,
    mode: 'live',
    organizationId: acme.id,
    onUnauthorized: () => {
      renewals++
      token = secret
      return true
    },
  })
  const [me] = await Promise.all([live.organization.getMe(), live.organization.getMe(), live.contacts.list()])
  assert.deepEqual([me.mode, me.organization?.id, renewals], ['live', acme.id, 1])
  const hopeless = createClient({ baseUrl, apiKey: 'expired', onUnauthorized: () => true })
  await failure(hopeless.organization.getMe(), AuthenticationError)
  const renewing = createClient({
    baseUrl,
    apiKey: 'expired',
    onUnauthorized: () =>
      renewing.signIn.refresh({ refresh_token: 'unknown' }).then(
        () => true,
        () => false,
      ),
  })
  await failure(renewing.organization.getMe(), AuthenticationError)
  await failure(createClient({ baseUrl, apiKey: secret, mode: 'test' }).organization.getMe(), ValidationError)
})

/** Never called: only type-checked. */
export async function whatDoesNotCompile() {
  // @ts-expect-error a contact has a phone number
  await client.contacts.create({ name: 'Ada' })
  // @ts-expect-error there is no such stage
  await client.contacts.update('id', { stage: 'rich' })
  // @ts-expect-error which channel?
  await client.templates.createFromLibrary('order_update', { language: 'en_US' })
  // @ts-expect-error there is no such filter
  await client.contacts.list({ colour: 'red' })
  for await (const { contact } of client.inbox.listTickets()) {
    const name: string = contact.name
    // @ts-expect-error it is a string
    const length: number = name
    void length
  }
}

async function failure<E extends FrontdeskError>(
  work: PromiseLike<unknown>,
  kind: new (...args: never[]) => E,
): Promise<E> {
  try {
    await work
  } catch (error) {
    assert.ok(error instanceof kind, `${error} is not a ${kind.name}`)
    return error
  }
  throw new assert.AssertionError({ message: `no ${kind.name} was thrown` })
}
