import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '../../../testing/app.ts'
import { refusal } from '../../../testing/chat-platform.ts'
import { connectOwner } from '../../../testing/connect-owner.ts'
import { newCustomer, startChatApp } from '../../../testing/conversations.ts'
import { fileThatStarts, png } from '../../../testing/sample-files.ts'
import { upload } from '../../../testing/uploads.ts'

const { app, platform, newOrganization } = await startChatApp()
const acme = await newOrganization()
const { call } = acme
const owner = await connectOwner(app)

const { ticketId, contactId } = await acme.receives({ from: newCustomer() })
const send = (message: object, headers = {}) => call('POST', `inbox/messages/${ticketId}`, message, headers)

const buttons = [
  { id: 'keep', title: 'Keep it' },
  { id: 'move', title: 'Move it' },
]
const rows = [
  { id: 'mon', title: 'Monday', description: '9 am to noon' },
  { id: 'tue', title: 'Tuesday' },
]
const card = {
  name: { formatted_name: 'Ada Lovelace', first_name: 'Ada' },
  phones: [{ phone: '+14155550100', type: 'WORK' }],
  org: { company: 'Acme' },
}

test('every kind is sent in the platform’s format and stored as readable text with the kind in the payload', async () => {
  const cases: [message: { body?: string; [member: string]: unknown }, sent: object, body: string][] = [
    [
      {
        body: 'On Monday?',
        interactive: { type: 'button', header: { type: 'text', text: 'Visit' }, footer: 'Until Sunday', buttons },
      },
      {
        type: 'interactive',
        interactive: {
          type: 'button',
          header: { type: 'text', text: 'Visit' },
          body: { text: 'On Monday?' },
          footer: { text: 'Until Sunday' },
          action: { buttons: buttons.map((reply) => ({ type: 'reply', reply })) },
        },
      },
      'Visit\n\nOn Monday?\n\nUntil Sunday\n\n• Keep it\n• Move it',
    ],
    [
      { body: 'Which day?', interactive: { type: 'list', label: 'Days', sections: [{ title: 'Next week', rows }] } },
      {
        type: 'interactive',
        interactive: {
          type: 'list',
          body: { text: 'Which day?' },
          action: { button: 'Days', sections: [{ title: 'Next week', rows }] },
        },
      },
      'Which day?\n\nNext week\n• Monday: 9 am to noon\n• Tuesday',
    ],
    [
      {
        body: 'All dates:',
        interactive: {
          type: 'cta_url',
          header: { type: 'image', link: 'https://example.com/dates.png' },
          label: 'See dates',
          url: 'https://example.com/dates?for=ada',
        },
      },
      {
        type: 'interactive',
        interactive: {
          type: 'cta_url',
          header: { type: 'image', image: { link: 'https://example.com/dates.png' } },
          body: { text: 'All dates:' },
          action: {
            name: 'cta_url',
            parameters: { display_text: 'See dates', url: 'https://example.com/dates?for=ada' },
          },
        },
      },
      'All dates:\n\nSee dates: https://example.com/dates?for=ada',
    ],
    [
      { body: 'Where are you?', interactive: { type: 'location_request_message' } },
      {
        type: 'interactive',
        interactive: {
          type: 'location_request_message',
          body: { text: 'Where are you?' },
          action: { name: 'send_location' },
        },
      },
      'Where are you?',
    ],
    [
      {
        body: 'Book a visit',
        interactive: {
          type: 'flow',
          label: 'Book',
          flow: { id: '1122', token: 'visit-7', screen: 'START', data: { day: 'Monday' } },
        },
      },
      {
        type: 'interactive',
        interactive: {
          type: 'flow',
          body: { text: 'Book a visit' },
          action: {
            name: 'flow',
            parameters: {
              flow_message_version: '3',
              flow_id: '1122',
              flow_token: 'visit-7',
              flow_action_payload: { screen: 'START', data: { day: 'Monday' } },
              flow_cta: 'Book',
            },
          },
        },
      },
      'Book a visit\n\n• Book',
    ],
    [
      { interactive: { type: 'product', catalog_id: '77', product_retailer_id: 'A1' } },
      {
        type: 'interactive',
        interactive: { type: 'product', action: { catalog_id: '77', product_retailer_id: 'A1' } },
      },
      '🛒 A1',
    ],
    [
      {
        body: 'Our bulbs',
        interactive: {
          type: 'product_list',
          header: { type: 'text', text: 'Spring' },
          catalog_id: '77',
          sections: [
            { title: 'Tulips', product_retailer_ids: ['A1', 'A2'] },
            { title: 'Lilies', product_retailer_ids: ['B1'] },
          ],
        },
      },
      {
        type: 'interactive',
        interactive: {
          type: 'product_list',
          header: { type: 'text', text: 'Spring' },
          body: { text: 'Our bulbs' },
          action: {
            catalog_id: '77',
            sections: [
              { title: 'Tulips', product_items: [{ product_retailer_id: 'A1' }, { product_retailer_id: 'A2' }] },
              { title: 'Lilies', product_items: [{ product_retailer_id: 'B1' }] },
            ],
          },
        },
      },
      'Spring\n\nOur bulbs\n\n🛒 A1, A2, B1',
    ],
    [
      { location: { latitude: 37.7749, longitude: -122.4194, name: 'Front desk', address: '1 Market Street' } },
      {
        type: 'location',
        location: { latitude: 37.7749, longitude: -122.4194, name: 'Front desk', address: '1 Market Street' },
      },
      '📍 Front desk, 1 Market Street',
    ],
    [
      { contacts: [card, { name: { formatted_name: 'Bo' } }] },
      { type: 'contacts', contacts: [card, { name: { formatted_name: 'Bo', first_name: 'Bo' } }] },
      '👤 Ada Lovelace, Bo',
    ],
  ]
  for (const [message, expected, body] of cases) {
    const stored = ok(await send(message), 201)
    const { messaging_product, recipient_type, to, biz_opaque_callback_data, ...sent } = platform.sent.at(-1)
    assert.deepEqual(sent, expected)
    assert.equal(biz_opaque_callback_data, stored.id)
    assert.deepEqual([stored.message_type, stored.body, stored.status], ['text', body, 'sent'])
    const { body: text = '', interactive, ...others } = message
    const payload = interactive ? { interactive: { ...interactive, body: text } } : others
    assert.deepEqual(stored.payload, { type: Object.keys(payload)[0], ...payload })
  }
  const { inboxes } = ok(await call('GET', 'inbox/tickets?search=Lovelace'))
  assert.equal(inboxes[0].id, ticketId)
})

test('fields of the contact are filled into the texts, as sent and as stored', async () => {
  ok(await call('PATCH', `contacts/${contactId}`, { first_name: 'Ada' }))
  const header = { type: 'text', text: 'For {{contact.first_name}}' }
  const stored = ok(
    await send({ body: 'Hi {{contact.first_name|there}}', interactive: { type: 'button', header, buttons } }),
    201,
  )
  assert.equal(stored.body, 'For Ada\n\nHi Ada\n\n• Keep it\n• Move it')
  const { header: sentHeader, body } = (platform.sent.at(-1) as { interactive: { header: object; body: object } })
    .interactive
  assert.deepEqual([sentHeader, body], [{ type: 'text', text: 'For Ada' }, { text: 'Hi Ada' }])
})

test('what the platform would refuse is 422 at the faulty member, and nothing is sent', async () => {
  const button = { type: 'button', buttons }
  const list = { type: 'list', label: 'Days', sections: [{ rows }] }
  const link = { type: 'cta_url', label: 'See', url: 'https://example.com' }
  const flow = { type: 'flow', label: 'Book', flow: { id: '1' } }
  const products = {
    type: 'product_list',
    header: { type: 'text', text: 'Spring' },
    catalog_id: '7',
    sections: [{ product_retailer_ids: ['A'] }],
  }
  const of = (interactive: object, body = 'Well?') => ({ body, interactive })
  const many = (count: number) => Array.from({ length: count }, (_, i) => ({ id: `r${i}`, title: `Row ${i}` }))
  const cases: [message: object, loc: string][] = [
    [of({ ...button, buttons: [] }), 'interactive.buttons'],
    [of({ ...button, buttons: many(4) }), 'interactive.buttons'],
    [of({ ...button, buttons: [{ id: 'a', title: 'A'.repeat(21) }] }), 'interactive.buttons.0.title'],
    [of({ ...button, buttons: [{ id: 'a', title: ' ' }] }), 'interactive.buttons.0.title'],
    [of({ ...button, buttons: [{ id: 'a'.repeat(257), title: 'A' }] }), 'interactive.buttons.0.id'],
    [of({ ...button, buttons: [{ title: 'A' }] }), 'interactive.buttons.0.id'],
    [
      of({
        ...button,
        buttons: [
          { id: 'a', title: 'A' },
          { id: 'a', title: 'B' },
        ],
      }),
      'interactive.buttons.1.id',
    ],
    [
      of({
        ...button,
        buttons: [
          { id: 'a', title: 'A' },
          { id: 'b', title: 'A' },
        ],
      }),
      'interactive.buttons.1.title',
    ],
    [of({ type: 'button' }), 'interactive.buttons'],
    [of({ ...button, url: 'https://example.com' }), 'interactive.url'],
    [of(button, ''), 'body'],
    [of(button, 'a'.repeat(1025)), 'body'],
    [of({ ...button, footer: 'a'.repeat(61) }), 'interactive.footer'],
    [of({ ...button, header: { type: 'text', text: 'a'.repeat(61) } }), 'interactive.header.text'],
    [of({ ...button, header: { type: 'text' } }), 'interactive.header.text'],
    [of({ ...button, header: { type: 'image', text: 'A' } }), 'interactive.header.link'],
    [of({ ...button, header: { type: 'image', link: 'http://example.com/a.png' } }), 'interactive.header.link'],
    [of({ ...list, header: { type: 'image', link: 'https://example.com/a.png' } }), 'interactive.header.type'],
    [of({ ...list, label: undefined }), 'interactive.label'],
    [of({ ...list, label: 'a'.repeat(21) }), 'interactive.label'],
    [of({ ...list, sections: [{ rows: many(11) }] }), 'interactive.sections.0.rows'],
    [
      of({
        ...list,
        sections: [
          { title: 'A', rows: many(6) },
          { title: 'B', rows: many(5) },
        ],
      }),
      'interactive.sections',
    ],
    [of({ ...list, sections: [{ rows }, { title: 'B', rows: many(1) }] }), 'interactive.sections.0.title'],
    [of({ ...list, sections: [{ title: 'A' }] }), 'interactive.sections.0.rows'],
    [of({ ...list, sections: [{ rows: [rows[0], rows[0]] }] }), 'interactive.sections.0.rows.1.id'],
    [
      of({ ...list, sections: [{ rows: [{ id: 'a', title: 'A'.repeat(25) }] }] }),
      'interactive.sections.0.rows.0.title',
    ],
    [
      of({ ...list, sections: [{ rows: [{ id: 'a', title: 'A', description: 'a'.repeat(73) }] }] }),
      'interactive.sections.0.rows.0.description',
    ],
    [of({ ...link, url: 'http://example.com' }), 'interactive.url'],
    [of({ ...link, url: 'example.com' }), 'interactive.url'],
    [of({ type: 'location_request_message', footer: 'Now' }), 'interactive.footer'],
    [of({ ...flow, flow: { id: '1', name: 'visit' } }), 'interactive.flow.id'],
    [of({ ...flow, flow: {} }), 'interactive.flow.id'],
    [of({ ...flow, flow: { id: '1', action: 'data_exchange', screen: 'S' } }), 'interactive.flow.screen'],
    [of({ ...flow, flow: { id: '1', data: { a: 1 } } }), 'interactive.flow.screen'],
    [of({ type: 'product', catalog_id: '7' }), 'interactive.product_retailer_id'],
    [of({ ...products, header: undefined }), 'interactive.header'],
    [of({ ...products, sections: [{ rows }] }), 'interactive.sections.0.product_retailer_ids'],
    [
      of({ ...products, sections: [{ product_retailer_ids: Array.from({ length: 31 }, String) }] }),
      'interactive.sections.0.product_retailer_ids',
    ],
    [of({ type: 'carousel' }), 'interactive.type'],
    [{ location: { latitude: 91, longitude: 0 } }, 'location.latitude'],
    [{ location: { latitude: 1 } }, 'location.longitude'],
    [{ location: { latitude: 1, longitude: 2 }, body: 'Here' }, 'body'],
    [{ contacts: [] }, 'contacts'],
    [{ contacts: [{ name: {} }] }, 'contacts.0.name.formatted_name'],
    [{ contacts: [card], location: { latitude: 1, longitude: 2 } }, 'contacts'],
    [{ ...of(button), media_url: 'https://example.com/a.png' }, 'media_url'],
    [{ ...of(button), message_type: 'image' }, 'message_type'],
    [{ ...of(button), sticker: true }, 'sticker'],
    [{ sticker: true }, 'media_url'],
  ]
  const before = platform.sent.length
  for (const [message, loc] of cases) {
    const { status, body, text } = await send(message)
    assert.equal(status, 422, `${JSON.stringify(message)}: ${text}`)
    const locs = body.detail.map((fault: { loc: string[] }) => fault.loc.slice(1).join('.'))
    assert.ok(locs.includes(loc), `${loc} is not among ${locs}`)
  }
  assert.equal(platform.sent.length, before)
})

test('limits count characters, not UTF-16 units, and a list takes a longer text than buttons', async () => {
  ok(
    await send({ body: 'Well?', interactive: { type: 'button', buttons: [{ id: 'a', title: '👍'.repeat(20) }] } }),
    201,
  )
  const list = { type: 'list', label: 'Days', sections: [{ rows }] }
  ok(await send({ body: 'a'.repeat(4096), interactive: list }), 201)
})

test('the 24-hour window, idempotency, quoting and failures work as for text', async () => {
  const message = { body: 'On Monday?', interactive: { type: 'button', buttons } }
  const before = platform.sent.length
  const key = { 'idempotency-key': 'keep-or-move' }
  const first = ok(await send(message, key), 201)
  assert.deepEqual(ok(await send(message, key), 201), first)
  assert.equal(platform.sent.length, before + 1)
  assert.equal((await send({ ...message, body: 'On Tuesday?' }, key)).status, 409)

  ok(await send({ ...message, context_message_id: first.chat_message_id }), 201)
  assert.deepEqual(platform.sent.at(-1).context, { message_id: first.chat_message_id })

  platform.next.push(refusal(131009))
  const failed = await send(message)
  assert.equal(failed.status, 502)
  const { messages } = ok(await call('GET', `inbox/messages/${ticketId}?order=desc&limit=1`))
  assert.deepEqual([messages[0].id, messages[0].status], [failed.body.message_id, 'failed'])

  await owner.query(`update chat_windows set last_inbound_at = now() - interval '25 hours' where contact_id = $1`, [
    contactId,
  ])
  assert.equal((await send(message)).status, 409)
})

test('a WebP file is sent as a sticker on request, within the platform’s sizes', async () => {
  const { ticketId: other } = await acme.receives({ from: newCustomer() })
  const still = fileThatStarts('RIFF\0\0\0\0WEBPVP8 ')
  const animated = fileThatStarts('RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\x02')
  const post = (file: Uint8Array<ArrayBuffer>, fields: Record<string, string> = {}) =>
    upload(call, `inbox/messages/${other}`, { file, fileName: 'wave.webp', fields: { sticker: 'true', ...fields } })
  const message = ok(await post(still), 201)
  assert.deepEqual(
    [message.message_type, message.media_mime_type, message.body, message.payload],
    ['image', 'image/webp', '', { type: 'sticker' }],
  )
  const { type, sticker } = platform.sent.at(-1)
  assert.equal(type, 'sticker')
  assert.deepEqual(platform.media.get(sticker.id)?.bytes, Buffer.from(still))

  const large = (file: Uint8Array<ArrayBuffer>, size: number) => Buffer.concat([file, Buffer.alloc(size)])
  ok(await post(large(animated, 200 * 1024)), 201)
  assert.equal((await post(large(still, 200 * 1024))).status, 413)
  assert.equal((await post(large(animated, 600 * 1024))).status, 413)
  for (const answer of [
    await post(png),
    await post(still, { body: 'Hi' }),
    await post(still, { message_type: 'video' }),
  ])
    assert.equal(answer.status, 422, answer.text)
})
