import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '../server/testing/app.ts'
import { until } from '../server/testing/process.ts'
import { startTestSimulator } from '../server/testing/simulator.ts'

const simulator = await startTestSimulator()
const { control, send, listener, phoneNumberId } = simulator
await control('PATCH', 'knobs', { throughput: 100_000 })

let people = 0
async function newCustomer() {
  const person = `+1415555${String(7600 + ++people)}`
  await simulator.writeFrom(person)
  return person
}

const body = { text: 'Well?' }
const reply = (id: string, title: string) => ({ type: 'reply', reply: { id, title } })
const button = { type: 'button', body, action: { buttons: [reply('y', 'Yes'), reply('n', 'No')] } }
const rows = [
  { id: 'mon', title: 'Monday', description: 'Morning' },
  { id: 'tue', title: 'Tuesday' },
]
const list = { type: 'list', body, action: { button: 'Days', sections: [{ rows }] } }
const link = {
  type: 'cta_url',
  body,
  action: { name: 'cta_url', parameters: { display_text: 'See', url: 'https://a.example' } },
}
const place = { type: 'location_request_message', body, action: { name: 'send_location' } }
const flowParameters = { flow_message_version: '3', flow_id: '1', flow_cta: 'Book', flow_token: 'visit-7' }
const flow = { type: 'flow', body, action: { name: 'flow', parameters: flowParameters } }
const product = { type: 'product', action: { catalog_id: '7', product_retailer_id: 'A1' } }
const products = {
  type: 'product_list',
  header: { type: 'text', text: 'Spring' },
  body,
  action: { catalog_id: '7', sections: [{ title: 'Tulips', product_items: [{ product_retailer_id: 'A1' }] }] },
}
const offer = (person: string, interactive: object) => send(person, { type: 'interactive', interactive })

test('all kinds of interactive messages are accepted', async () => {
  const person = await newCustomer()
  for (const each of [button, list, link, place, flow, product, products]) {
    ok(await offer(person, each))
  }
})

test('what the platform does not accept is refused with its codes', async () => {
  const person = await newCustomer()
  const cases: [interactive: object, code: number][] = [
    [{ ...button, type: 'hologram' }, 131009],
    [{ ...button, body: undefined }, 131008],
    [{ ...button, body: { text: 'a'.repeat(1025) } }, 100],
    [{ ...button, footer: { text: 'a'.repeat(61) } }, 100],
    [{ ...button, action: undefined }, 131008],
    [{ ...button, action: { buttons: [] } }, 131009],
    [{ ...button, action: { buttons: [reply('y', 'Yes'), reply('y', 'No')] } }, 131009],
    [{ ...button, action: { buttons: [reply('y', 'Yes'), reply('n', 'Yes')] } }, 131009],
    [{ ...button, action: { buttons: [reply('y', 'a'.repeat(21))] } }, 100],
    [{ ...button, header: { type: 'image' } }, 131008],
    [{ ...list, header: { type: 'image', image: { link: 'https://a.example' } } }, 131009],
    [{ ...list, action: { sections: [{ rows }] } }, 131008],
    [{ ...list, action: { button: 'Days', sections: [{ rows }, { title: 'B', rows }] } }, 131008],
    [{ ...list, action: { button: 'Days', sections: [{ rows: [rows[0], rows[0]] }] } }, 131009],
    [{ ...link, action: { name: 'cta_url', parameters: { display_text: 'See', url: 'nowhere' } } }, 131009],
    [{ ...place, footer: { text: 'Now' } }, 131009],
    [{ ...flow, action: { name: 'flow', parameters: { ...flowParameters, flow_name: 'visit' } } }, 131009],
    [{ ...flow, action: { name: 'flow', parameters: { ...flowParameters, flow_message_version: '2' } } }, 131009],
    [{ ...product, header: { type: 'text', text: 'A' } }, 131009],
    [{ ...products, header: undefined }, 131008],
    [{ ...products, action: { catalog_id: '7', sections: [{ title: 'Tulips', product_items: [] }] } }, 131008],
  ]
  for (const [interactive, code] of cases) {
    const { status, text, body: answer } = await offer(person, interactive)
    assert.deepEqual([status, answer.error?.code], [400, code], `${JSON.stringify(interactive)}: ${text}`)
  }
  const cards = await send(person, { type: 'contacts', contacts: [{ name: {} }] })
  assert.equal(cards.body.error.code, 131008)
  const far = await send(person, { type: 'location', location: { latitude: 91, longitude: 0 } })
  assert.equal(far.body.error.code, 131009)
})

test('a tap answers the last message, or the one it names, as a phone would', async () => {
  const person = await newCustomer()
  const idOf = async (interactive: object) => (await offer(person, interactive)).body.messages[0].id
  async function tap(more: { tap?: string; context?: object } = {}) {
    const { tap: wanted, ...context } = more
    const answer = await control('POST', 'inbound', {
      phone_number_id: phoneNumberId,
      from: person,
      message: { type: 'interactive', ...context },
      ...(wanted && { tap: wanted }),
    })
    const [{ id }] = answer.body.messages
    await until(async () => listener.updates.some(({ value }) => value.id === id))
    const { value } = listener.updates.find((each) => each.value.id === id) as { value: Record<string, never> }
    return value as Record<string, Record<string, unknown>>
  }

  const asked = await idOf(button)
  const first = await tap()
  assert.deepEqual(first.interactive, { type: 'button_reply', button_reply: { id: 'y', title: 'Yes' } })
  assert.equal(first.context?.id, asked)
  assert.deepEqual((await tap({ tap: 'No' })).interactive?.button_reply, { id: 'n', title: 'No' })

  const listed = await idOf(list)
  assert.deepEqual((await tap({ tap: 'Monday' })).interactive, { type: 'list_reply', list_reply: rows[0] })
  const earlier = await tap({ tap: 'n', context: { id: asked } })
  assert.deepEqual([earlier.interactive?.type, earlier.context?.id], ['button_reply', asked])
  assert.equal((await tap({ tap: 'tue' })).context?.id, listed)

  await idOf(place)
  // The latest message that has this choice is not the last message.
  assert.equal((await tap({ tap: 'Tuesday' })).context?.id, listed)
  const located = await tap()
  assert.deepEqual([located.type, located.location?.name], ['location', 'San Francisco'])
  await idOf(flow)
  const { nfm_reply } = (await tap({ tap: 'Two rooms' })).interactive as { nfm_reply: Record<string, string> }
  assert.deepEqual([nfm_reply.name, nfm_reply.body], ['flow', 'Sent'])
  assert.deepEqual(JSON.parse(String(nfm_reply.response_json)), { flow_token: 'visit-7', answer: 'Two rooms' })
  await idOf(products)
  const ordered = (await tap()).order as { product_items: { product_retailer_id: string }[] }
  assert.equal(ordered.product_items[0]?.product_retailer_id, 'A1')
})
