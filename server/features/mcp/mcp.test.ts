import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { sharedTestApp } from '../../testing/app.ts'
import { endOfDocument } from '../../testing/documents.ts'
import { person } from '../../testing/people.ts'
import { upload } from '../../testing/uploads.ts'
import type { Scope } from '../organizations/schema.ts'

const app = await sharedTestApp()
const url = new URL(`${await app.listen()}/mcp`)
const acme = await app.organization()
const unknownId = '01976f3e-6f0a-7c44-9a51-0d3f5a1b2c3d'
const template = {
  name: 'news',
  language: 'en_US',
  category: 'UTILITY',
  components: [{ type: 'BODY', text: 'Hello {{1}}, we are open today.' }],
}

/** The official client, as an assistant would use it. */
async function connect(token: string, more: Record<string, string> = {}) {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const headers = { authorization: `Bearer ${token}`, ...more }
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  return client
}

interface Outcome {
  isError?: boolean
  content: { type: string; text: string }[]
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  structuredContent?: any
}
const call = (client: Client, name: string, input: object = {}) =>
  client.callTool({ name, arguments: input as Record<string, unknown> }) as unknown as Promise<Outcome>

/** The text that a model gets for a failed call. */
async function complaint(client: Client, name: string, input: object = {}): Promise<string> {
  const { isError, content } = await call(client, name, input)
  assert.equal(isError, true)
  return content[0]?.text ?? ''
}

const newContact = async (organization = acme, more: object = {}) =>
  (await organization.call('POST', 'contacts', { phone_number: nextNumber(), name: 'Ada Lovelace', ...more })).body
let numbers = 0
const nextNumber = () => `+1202555${String(1000 + numbers++)}`

suite('with the official client', async () => {
  const client = await connect(acme.key)

  test('it describes itself and lists its tools with self-contained schemas', async () => {
    assert.equal(client.getServerVersion()?.name, 'frontdesk')
    assert.match(client.getInstructions() ?? '', /test mode/)
    const { tools } = await client.listTools()
    assert.deepEqual(
      tools.map(({ name }) => name),
      [
        'search_contacts',
        'get_contact',
        'read_timeline',
        'add_note',
        'list_tasks',
        'create_task',
        'search_knowledge',
        'list_channels',
        'list_templates',
        'preflight_campaign',
      ],
    )
    for (const { name, description, inputSchema, outputSchema, annotations } of tools) {
      assert.equal(outputSchema?.type, 'object', name)
      assert.ok((outputSchema.required ?? []).length > 1, name)
      assert.equal(inputSchema.type, 'object')
      assert.ok(description)
      assert.equal(annotations?.readOnlyHint, !['add_note', 'create_task'].includes(name))
      assert.doesNotMatch(JSON.stringify([inputSchema, outputSchema]), /maxDepth|fillIn|examples/)
    }
    const task = tools.find(({ name }) => name === 'create_task')
    assert.deepEqual(task?.inputSchema.required, ['contact_id', 'title'])
    assert.deepEqual(tools.find(({ name }) => name === 'search_contacts')?.inputSchema.required, [])
  })

  test('every tool’s result matches its output schema, as checked by the official client', async () => {
    const own = await app.organization()
    const checking = await connect(own.key)
    const { tools } = await checking.listTools()
    const { id: contact_id } = await newContact(own, { custom_fields: { plan: 'gold', seats: 3 } })
    const [channel] = (await own.call('GET', 'channels')).body.data
    await upload(own.call, 'knowledge-base/upload', { file: 'Refunds take fourteen days.', fileName: 'refunds.txt' })
    await own.call('POST', 'templates', { ...template, channel_id: channel.id })
    const inputs: Record<string, object> = {
      search_contacts: {},
      get_contact: { contact_id },
      read_timeline: { contact_id },
      add_note: { contact_id, note: 'Prefers mornings' },
      create_task: { contact_id, title: 'Call back', due_at: '2099-03-01T09:00:00Z' },
      list_tasks: {},
      search_knowledge: { query: 'refunds', mode: 'keyword' },
      list_channels: {},
      list_templates: {},
      preflight_campaign: { name: 'News', chat_phone_number_id: channel.id },
    }
    for (const { name, outputSchema } of tools) {
      // The client throws if the result does not match the schema.
      const { isError, structuredContent, content } = await call(checking, name, inputs[name])
      assert.ok(!isError, `${name}: ${content[0]?.text}`)
      assert.deepEqual(structuredContent, JSON.parse(content[0]?.text ?? ''))
      // The result has no member that the schema does not name.
      const { properties = {} } = outputSchema as { properties?: object }
      assert.deepEqual(
        Object.keys(structuredContent).filter((member) => !(member in properties)),
        [],
        name,
      )
    }
    const outcome = await call(checking, 'get_contact', { contact_id: unknownId })
    assert.deepEqual([outcome.isError, outcome.structuredContent], [true, undefined])
  })

  test('contacts are searched page by page and read', async () => {
    const made = [await newContact(acme, { tags: ['paged'] }), await newContact(acme, { tags: ['paged'] })]
    const first = await call(client, 'search_contacts', { tag: 'paged', limit: 1 })
    assert.equal(first.structuredContent.total_count, 2)
    assert.equal(first.structuredContent.data[0].id, made[1].id)
    assert.deepEqual(JSON.parse(first.content[0]?.text ?? ''), first.structuredContent)
    const next = await call(client, 'search_contacts', {
      tag: 'paged',
      limit: 1,
      starting_after: first.structuredContent.next_cursor,
    })
    assert.equal(next.structuredContent.data[0].id, made[0].id)
    const found = await call(client, 'search_contacts', { search: made[0].phone_number })
    assert.equal(found.structuredContent.total_count, 1)
    const read = await call(client, 'get_contact', { contact_id: made[0].id })
    assert.deepEqual(read.structuredContent, made[0])
  })

  test('a note is added and read back in the timeline', async () => {
    const { id: contact_id } = await newContact()
    const added = await call(client, 'add_note', { contact_id, note: 'Prefers mornings' })
    assert.deepEqual(
      [added.structuredContent.type, added.structuredContent.payload, added.structuredContent.actor_type],
      ['note_added', { note: 'Prefers mornings' }, 'user'],
    )
    const timeline = await call(client, 'read_timeline', { contact_id, type: ['note_added'] })
    assert.deepEqual(
      timeline.structuredContent.activities.map(({ id }: { id: string }) => id),
      [added.structuredContent.id],
    )
    const { body: events } = await acme.call('GET', 'events?type=activity.created')
    assert.equal(events.data[0].data.object.id, added.structuredContent.id)
  })

  test('a task is created and listed', async () => {
    const { id: contact_id } = await newContact()
    const due_at = '2020-03-01T09:00:00Z'
    const { structuredContent: task } = await call(client, 'create_task', { contact_id, title: 'Call back', due_at })
    assert.equal(task.title, 'Call back')
    const listed = await call(client, 'list_tasks', {
      contact_id,
      overdue: true,
      due_before: '2020-03-01T11:00:00+01:00',
    })
    assert.deepEqual(
      listed.structuredContent.data.map(({ id }: { id: string }) => id),
      [task.id],
    )
  })

  test('a write repeated with its key is done once; with other arguments it is refused', async () => {
    const { id: contact_id } = await newContact()
    const input = { contact_id, note: 'Once', idempotency_key: 'note-1' }
    const [first, again] = [await call(client, 'add_note', input), await call(client, 'add_note', input)]
    assert.deepEqual(first.structuredContent, again.structuredContent)
    const timeline = await call(client, 'read_timeline', { contact_id, type: ['note_added'] })
    assert.equal(timeline.structuredContent.total, 1)
    assert.match(await complaint(client, 'add_note', { ...input, note: 'Other' }), /used with a different request/)
    const many = await Promise.all(
      Array.from({ length: 8 }, () =>
        call(client, 'create_task', { contact_id, title: 'Once', idempotency_key: 'task-1' }),
      ),
    )
    assert.ok(many.some(({ isError }) => !isError))
    for (const { isError, content } of many) if (isError) assert.match(content[0]?.text ?? '', /still running/)
    assert.equal((await call(client, 'list_tasks', { contact_id })).structuredContent.total_count, 1)
  })

  test('the knowledge base answers from documents', async () => {
    const form = new FormData()
    form.append('file', new File(['Refunds are paid within fourteen days.'], 'refunds.txt'))
    const headers = { authorization: `Bearer ${acme.key}` }
    const upload = await fetch(new URL('/api/v1/knowledge-base/upload', url), { method: 'POST', headers, body: form })
    const { id } = (await upload.json()) as { id: string }
    await endOfDocument(acme.call, id)
    const { structuredContent } = await call(client, 'search_knowledge', { query: 'refunds', mode: 'keyword' })
    assert.deepEqual(
      structuredContent.results.map(({ file_name }: { file_name: string }) => file_name),
      ['refunds.txt'],
    )
  })

  test('a campaign is preflighted with ids from the other tools, and nothing is created', async () => {
    const { structuredContent: channels } = await call(client, 'list_channels')
    assert.deepEqual(Object.keys(channels.data[0]), ['id', 'display_name', 'phone_number'])
    const { structuredContent: templates } = await call(client, 'list_templates', { status: 'APPROVED' })
    assert.deepEqual(templates.items, [])
    const campaign = { name: 'Spring', chat_phone_number_id: channels.data[0].id, audience_type: 'all' }
    const { structuredContent } = await call(client, 'preflight_campaign', campaign)
    assert.ok(structuredContent.total_contacts_count > 0)
    assert.deepEqual(structuredContent.warnings, ['It has no template: when it comes to sending it fails'])
    assert.equal((await acme.call('GET', 'campaigns')).body.total_count, 0)
    assert.match(
      await complaint(client, 'preflight_campaign', { ...campaign, chat_phone_number_id: unknownId }),
      /not found/,
    )
  })

  test('the error of an invalid call tells the model how to fix it', async () => {
    assert.equal(
      await complaint(client, 'get_contact', { contact_id: unknownId }),
      'Contact not found. Find the contact with search_contacts.',
    )
    assert.equal(
      await complaint(client, 'add_note', { contact_id: unknownId, note: 'x' }),
      'Contact not found. Find the contact with search_contacts.',
    )
    assert.equal(
      await complaint(client, 'create_task', { contact_id: 'ada', due_at: 'soon' }),
      'The arguments do not fit. title: Field required; contact_id: contact_id must be a UUID; due_at: due_at must be an ISO 8601 date-time, such as 2026-03-01T09:00:00Z',
    )
    assert.equal(
      await complaint(client, 'search_contacts', { limit: 51, search: 'a\0b' }),
      'The arguments do not fit. search: NUL characters are not allowed',
    )
    assert.match(await complaint(client, 'read_timeline', { contact_id: unknownId, type: ['gossip'] }), /type\.0/)
    await assert.rejects(call(client, 'delete_everything'), /-32602: Unknown tool: delete_everything/)
  })

  test('another organization’s ids are not found, in every parameter', async () => {
    const other = await app.organization({ name: 'Globex' })
    const theirs = await newContact(other)
    const { body: channels } = await other.call('GET', 'channels')
    const contact_id = theirs.id
    for (const [name, input] of Object.entries({
      get_contact: { contact_id },
      read_timeline: { contact_id },
      add_note: { contact_id, note: 'x' },
      create_task: { contact_id, title: 'x' },
      preflight_campaign: { name: 'x', chat_phone_number_id: channels.data[0].id },
    }))
      assert.match(await complaint(client, name, input), /not found/, name)
    const { body: template } = await other.call('POST', 'templates', {
      channel_id: channels.data[0].id,
      name: 'theirs',
      language: 'en_US',
      category: 'UTILITY',
      components: [{ type: 'BODY', text: 'Hello' }],
    })
    const [ours] = (await call(client, 'list_channels')).structuredContent.data
    const campaign = { name: 'x', chat_phone_number_id: ours.id }
    const toTheirs = { ...campaign, audience_type: 'manual', audience_contact_ids: [contact_id] }
    assert.match(await complaint(client, 'preflight_campaign', toTheirs), new RegExp(contact_id))
    const withTheirs = { ...campaign, message_template_id: template.id }
    assert.match(await complaint(client, 'preflight_campaign', withTheirs), /not found/)
    assert.equal((await call(client, 'list_tasks', { contact_id })).structuredContent.total_count, 0)
    assert.equal(
      (await call(client, 'search_contacts', { search: theirs.phone_number })).structuredContent.total_count,
      0,
    )
    assert.equal((await other.call('GET', `contacts/${contact_id}/activities`)).body.total, 1)
  })

  test('a live key sees no test-mode records', async () => {
    const { id } = await newContact()
    const { secret } = await app.key(acme.id, { mode: 'live' })
    const live = await connect(secret)
    assert.match(live.getInstructions() ?? '', /live mode/)
    assert.match(await complaint(live, 'get_contact', { contact_id: id }), /Contact not found/)
  })

  test('a person uses a token and chooses organization and mode', async () => {
    const other = await app.organization()
    const { token } = await person(app, [acme.id, other.id], 'member')
    const { id: contact_id } = await newContact(other)
    const theirs = await connect(token, { 'x-organization-id': other.id, 'x-mode': 'test' })
    assert.equal((await theirs.listTools()).tools.length, 10)
    assert.equal((await call(theirs, 'get_contact', { contact_id })).structuredContent.id, contact_id)
    const ours = await connect(token, { 'x-organization-id': acme.id, 'x-mode': 'test' })
    assert.match(await complaint(ours, 'get_contact', { contact_id }), /not found/)
    await assert.rejects(connect(token), /organization_id header is required/)
  })

  test('a credential sees and can call only the tools that its scopes allow', async () => {
    const toolsOf = async (scopes: Scope[]) => {
      const reader = await connect((await app.key(acme.id, { scopes })).secret)
      return { reader, names: (await reader.listTools()).tools.map(({ name }) => name) }
    }
    const { reader, names } = await toolsOf(['contacts:read'])
    assert.deepEqual(names, ['search_contacts', 'get_contact', 'read_timeline', 'list_tasks'])
    const { id: contact_id } = await newContact()
    assert.equal(
      await complaint(reader, 'add_note', { contact_id, note: 'x' }),
      'This credential lacks the scope contacts:write, which add_note needs. Ask for one that has it.',
    )
    assert.match(await complaint(reader, 'search_knowledge', { query: 'x' }), /knowledge:read/)
    assert.deepEqual((await toolsOf(['knowledge:read'])).names, ['search_knowledge'])
    assert.deepEqual((await toolsOf(['calls:read'])).names, [])
  })

  test('any node can answer the next request', async () => {
    const other = await app.node()
    const elsewhere = new URL(`${await other.listen()}/mcp`)
    let turn = 0
    const spread = new Client({ name: 'test', version: '1.0.0' })
    await spread.connect(
      new StreamableHTTPClientTransport(url, {
        requestInit: { headers: { authorization: `Bearer ${acme.key}` } },
        fetch: (_, init) => fetch(turn++ % 2 === 0 ? url : elsewhere, init),
      }),
    )
    assert.equal((await spread.listTools()).tools.length, 10)
    assert.ok(!(await call(spread, 'search_contacts')).isError)
    assert.ok(turn > 3)
  })

  test('an invalid credential is refused before the body is read', async () => {
    await assert.rejects(connect('svc_sk_test_of_nobody'), /Unauthorized/)
    const { id, secret } = await app.key(acme.id)
    const revoked = await connect(secret)
    await acme.call('DELETE', `keys/${id}`)
    await assert.rejects(revoked.listTools(), /Unauthorized/)
  })
})
