import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, sharedTestApp } from '../../../testing/app.ts'

const app = await sharedTestApp()
const acme = await app.organization()

const create = (results: object) => acme.call('POST', 'agents', { name: 'Desk', agent_config: { results } })
const plan = { type: 'object', properties: { plan: { type: 'string', enum: ['basic', 'gold'] } } }

test('result settings and memory change member by member, and older agents have their defaults', async () => {
  const { id, agent_config } = ok(await create({ extract: plan }), 201)
  const none = { contact_fields: [], success_criteria: [], dispositions: [] }
  assert.deepEqual(agent_config.results, { extract: plan, ...none })
  assert.deepEqual(agent_config.memory, { enabled: true, conversations: 3 })
  const changes = {
    memory: { conversations: 5 },
    results: {
      contact_fields: [{ property: 'plan', field: 'custom_fields.plan', unknown: 1 }],
      success_criteria: [{ name: 'Sold' }],
      dispositions: [{ name: 'Call back', description: 'Wants a call' }],
    },
  }
  const changed = ok(await acme.call('PATCH', `agents/${id}`, { agent_config: changes })).agent_config
  assert.deepEqual(changed.memory, { enabled: true, conversations: 5 })
  assert.deepEqual(changed.results, {
    extract: plan,
    contact_fields: [{ property: 'plan', field: 'custom_fields.plan', overwrite: false }],
    success_criteria: [{ name: 'Sold', description: '' }],
    dispositions: [{ name: 'Call back', description: 'Wants a call' }],
  })
  const reset = ok(await acme.call('PATCH', `agents/${id}`, { agent_config: { memory: null, results: null } }))
  assert.deepEqual(reset.agent_config.results, { extract: null, ...none })
  await app.database.forSystem().run`update agents set config = config - 'memory' - 'results' where id = ${id}`
  const older = ok(await acme.call('GET', `agents/${id}`)).agent_config
  assert.deepEqual([older.memory, older.results], [reset.agent_config.memory, reset.agent_config.results])
})

test('a schema that cannot be filled, unknown properties and repeated names are refused with their place', async () => {
  const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`p${index}`, { type: 'string' }]))
  const withReference = { type: 'object', properties: { a: { $ref: '#/definitions/a' } }, definitions: { a: {} } }
  for (const [extract, message] of [
    [{ type: 'array' }, /"type": "object"/],
    [{ type: 'object' }, /Name its properties/],
    [{ type: 'object', properties: {} }, /Name its properties/],
    [
      { type: 'object', properties: { a: { type: 'text' } } },
      /Not a JSON Schema that can be used: properties\/a\/type must be equal to one of the allowed values$/,
    ],
    [{ type: 'object', properties: many }, /More than 50/],
    [withReference, /\$ref/],
    [{ type: 'object', properties: { a: { description: 'x'.repeat(33_000) } } }, /Longer than/],
  ] as const) {
    const { status, body, text } = await create({ extract })
    assert.equal(status, 400, text)
    assert.match(body.message, /^body\.agent_config\.results\.extract: /)
    assert.match(body.message, message)
  }
  const refused = async (results: object, ...loc: string[]) => {
    const { status, body, text } = await create({ extract: plan, ...results })
    assert.equal(status, 400, text)
    assert.ok(body.message.startsWith(`body.agent_config.results.${loc.join('.')}: `), body.message)
  }
  const mapping = (property: string, field: string) => ({ property, field })
  await refused({ contact_fields: [mapping('size', 'name')] }, 'contact_fields', '0', 'property')
  await refused({ contact_fields: [mapping('plan', 'name'), mapping('plan', 'name')] }, 'contact_fields', '1', 'field')
  await refused({ contact_fields: [mapping('plan', 'phone_number')] }, 'contact_fields', '0', 'field')
  await refused({ success_criteria: [{ name: 'A' }, { name: 'A' }] }, 'success_criteria', '1', 'name')
  await refused({ dispositions: [{ name: 'A' }, { name: 'A' }] }, 'dispositions', '1', 'name')
  await refused({ dispositions: [{ name: ' ' }] }, 'dispositions', '0', 'name')
})
