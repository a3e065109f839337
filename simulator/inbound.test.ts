import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '../server/testing/app.ts'
import { startTestSimulator } from '../server/testing/simulator.ts'

const simulator = await startTestSimulator()
const inbound = (message: object, more: object = {}) =>
  simulator.control('POST', 'inbound', {
    phone_number_id: simulator.phoneNumberId,
    from: '+1 415 555 0177',
    name: 'Zoë',
    message,
    ...more,
  })
async function received(message: object, more: object = {}) {
  const { id } = ok(await inbound(message, more)).messages[0]
  return (await simulator.listener.hear(({ value }) => value.id === id)).value
}

test('an inbound message carries sender, time and content, with escapes in its raw bytes', async () => {
  const value = await received({ type: 'text', text: { body: 'Grüße / 👋' } })
  assert.equal(value.from, '14155550177')
  assert.match(value.timestamp, /^\d{10}$/)
  assert.deepEqual(value.text, { body: 'Grüße / 👋' })
  assert.deepEqual(value.around.contacts, [{ profile: { name: 'Zoë' }, wa_id: '14155550177' }])
  assert.equal(value.around.metadata.phone_number_id, simulator.phoneNumberId)
  const raw = simulator.listener.bodies.find((body) => body.includes(value.id)) as string
  assert.ok(raw.includes('Gr\\u00fc\\u00dfe \\/ \\ud83d\\udc4b'), raw)
  assert.doesNotMatch(raw, /[^\x20-\x7e]/)
})

test('statuses name number and user id of a person who wrote with both, until one of them changes', async () => {
  const [from, user_id] = ['+14155550188', 'US.4155550188']
  const recipientsOf = async (who: object) => {
    const { body } = await simulator.graph('POST', `${simulator.phoneNumberId}/messages`, {
      messaging_product: 'whatsapp',
      type: 'text',
      text: { body: 'Hello' },
      ...who,
    })
    const { value } = await simulator.listener.hear(({ value }) => value.id === body.messages[0].id)
    return [value.recipient_id, value.recipient_user_id]
  }
  await received({ type: 'text' }, { from })
  assert.deepEqual(await recipientsOf({ to: from }), ['14155550188', undefined])
  await received({ type: 'text' }, { from: undefined, user_id })
  assert.deepEqual(await recipientsOf({ recipient: user_id }), [undefined, user_id])
  await received({ type: 'text' }, { from, user_id })
  assert.deepEqual(await recipientsOf({ to: from }), ['14155550188', user_id])
  assert.deepEqual(await recipientsOf({ recipient: user_id }), ['14155550188', user_id])
  await received({ type: 'user_changed_user_id', user_id: 'US.4155550189' }, { from: undefined, user_id })
  assert.deepEqual(await recipientsOf({ to: from }), ['14155550188', undefined])
})

test('an edit or a deletion refers to the customer’s last message unless it names another', async () => {
  const said = await received({ type: 'text', text: { body: 'helo' } })
  const edit = { message: { type: 'text', text: { body: 'hello' } } }
  assert.deepEqual((await received({ type: 'edit', edit })).edit, { original_message_id: said.id, ...edit })
  assert.deepEqual((await received({ type: 'revoke' })).revoke, { original_message_id: said.id })
  const named = { original_message_id: 'wamid.OTHER', ...edit }
  assert.deepEqual((await received({ type: 'edit', edit: named })).edit, named)
  const { unsupported, errors } = await received({ type: 'unsupported', unsupported: { type: 'edit' } })
  assert.deepEqual([unsupported, errors[0].code], [{ type: 'edit' }, 131051])
})

test('every message type can be received', async () => {
  const sent = (await simulator.send('+14155550177', { type: 'text', text: { body: 'Hello' } })).body.messages[0].id
  const types: [message: object, check: (value: Record<string, never>) => unknown, expected: unknown][] = [
    [{ type: 'reaction' }, ({ reaction }: Record<string, unknown>) => reaction, { message_id: sent, emoji: '👍' }],
    [
      { type: 'button', button: { payload: 'P', text: 'T' } },
      ({ context, button }: Record<string, unknown>) => [context, button],
      [
        { from: '18005550199', id: sent },
        { payload: 'P', text: 'T' },
      ],
    ],
    [
      { type: 'interactive' },
      ({ interactive, context }: Record<string, Record<string, unknown>>) => [interactive?.type, context?.id],
      ['button_reply', sent],
    ],
    [
      { type: 'interactive', interactive: { type: 'list_reply', list_reply: { id: '1', title: '10:30' } } },
      ({ interactive }: Record<string, Record<string, unknown>>) => interactive?.list_reply,
      { id: '1', title: '10:30' },
    ],
    [
      { type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply: { response_json: '{}' } } },
      ({ interactive }: Record<string, Record<string, unknown>>) => interactive?.type,
      'nfm_reply',
    ],
    [{ type: 'location' }, ({ location }: Record<string, Record<string, unknown>>) => location?.name, 'San Francisco'],
    [{ type: 'contacts' }, ({ contacts }: Record<string, unknown[]>) => contacts?.length, 1],
    [{ type: 'order' }, ({ order }: Record<string, Record<string, unknown[]>>) => order?.product_items?.length, 1],
    [{ type: 'unsupported' }, ({ errors }: Record<string, { code: number }[]>) => errors?.[0]?.code, 131051],
    [
      { type: 'system', system: { type: 'user_changed_number', wa_id: '14155550178', body: 'moved' } },
      ({ system }: Record<string, Record<string, unknown>>) => system?.wa_id,
      '14155550178',
    ],
    [{ type: 'hologram', hologram: { x: 1 } }, ({ hologram }: Record<string, unknown>) => hologram, { x: 1 }],
    [
      { type: 'text', text: { body: 'x' }, referral: { source_id: 'ad' } },
      ({ referral }: Record<string, Record<string, unknown>>) => referral?.source_id,
      'ad',
    ],
  ] as never
  for (const [message, check, expected] of types)
    assert.deepEqual(check(await received(message)), expected, JSON.stringify(message))
})

test('a person without a phone number has a user id instead', async () => {
  const { around, ...value } = await received({ type: 'text' }, { from: undefined, user_id: 'US.1', username: 'zoe' })
  assert.equal(value.from, undefined)
  assert.equal(value.from_user_id, 'US.1')
  assert.deepEqual(around.contacts, [{ profile: { name: 'Zoë', username: 'zoe' }, user_id: 'US.1' }])
})

test('a repeated id is the same message again', async () => {
  const { id } = await received({ type: 'text' })
  await inbound({ type: 'text' }, { id, timestamp: 1_700_000_000 })
  const again = await simulator.listener.hear(({ value }) => value.id === id && value.timestamp === '1700000000')
  assert.ok(again)
})

test('invalid inbound requests are refused', async () => {
  assert.equal((await inbound({ type: 'text' }, { from: undefined })).status, 422)
  assert.equal((await simulator.control('POST', 'inbound', { from: '+1' })).status, 422)
  assert.equal((await inbound({}, { phone_number_id: 'nobody' })).status, 404)
  assert.equal((await simulator.control('POST', 'dance', {})).status, 404)
  assert.equal((await simulator.control('PUT', 'numbers/1', { business_account_id: '1' })).status, 422)
  assert.equal((await simulator.control('PATCH', 'knobs', { duplicates: -1 })).status, 422)
  assert.equal((await simulator.control('PATCH', 'knobs', { unheard: true })).status, 422)
  assert.equal((await simulator.control('POST', 'outage', { kind: 'sulk' })).status, 422)
  assert.equal((await simulator.control('DELETE', 'transcript')).status, 405)
})

test('inbound media can be looked up and downloaded, by its owner only', async () => {
  const cases = [
    ['image', 'image/png'],
    ['document', 'application/pdf'],
    ['audio', 'audio/ogg; codecs=opus'],
    ['video', 'video/mp4'],
    ['sticker', 'image/webp'],
  ] as const
  for (const [type, mimeType] of cases) {
    const part = (await received({ type }))[type]
    assert.equal(part.mime_type, mimeType)
    const { body: found } = await simulator.graph('GET', part.id)
    assert.equal(found.mime_type, mimeType)
    const bytes = await download(found.url, simulator.token)
    assert.equal(bytes.status, 200)
    const content = Buffer.from(await bytes.arrayBuffer())
    assert.equal(String(content.length), found.file_size)
    const hash = await crypto.subtle.digest('SHA-256', content)
    assert.equal(Buffer.from(hash).toString('base64'), part.sha256)
    assert.equal(Buffer.from(hash).toString('hex'), found.sha256)
    assert.equal((await download(found.url, 'wrong')).status, 401)
    assert.equal((await download(found.url.replace(/signature=.*/, 'signature=x'), simulator.token)).status, 400)
    assert.equal((await download(found.url.replace(/expires=\d+/, 'expires=1'), simulator.token)).status, 400)
  }
  const own = { base64: Buffer.from('a,b\n').toString('base64'), mime_type: 'text/csv', filename: 'list.csv' }
  const { document } = await received({ type: 'document', document: { caption: 'see' } }, { media: own })
  assert.deepEqual([document.filename, document.caption, document.mime_type], ['list.csv', 'see', 'text/csv'])
})

const download = (url: string, token: string) => fetch(url, { headers: { authorization: `Bearer ${token}` } })

test('a file is uploaded, sent, found and deleted', async () => {
  const form = (bytes: Uint8Array<ArrayBuffer>, type: string, product = 'whatsapp') => {
    const data = new FormData()
    data.set('messaging_product', product)
    data.set('type', type)
    data.set('file', new File([bytes], 'a.png', { type }))
    return data
  }
  const upload = (data: FormData) => simulator.graph('POST', `${simulator.phoneNumberId}/media`, data)
  const { body: uploaded } = await upload(form(new Uint8Array([1, 2, 3]), 'image/png'))
  assert.match(uploaded.id, /^\d+$/)
  const { body: found } = await simulator.graph('GET', `${uploaded.id}?phone_number_id=${simulator.phoneNumberId}`)
  assert.deepEqual(
    Buffer.from(await (await download(found.url, simulator.token)).arrayBuffer()),
    Buffer.from([1, 2, 3]),
  )
  await simulator.writeFrom('+14155550177')
  ok(await simulator.send('+14155550177', { type: 'image', image: { id: uploaded.id } }))
  assert.deepEqual((await simulator.graph('DELETE', uploaded.id)).body, { success: true })
  assert.equal((await simulator.graph('GET', uploaded.id)).status, 400)
  assert.equal((await upload(form(new Uint8Array([1]), 'application/x-dance'))).body.error.code, 100)
  assert.equal((await upload(form(new Uint8Array(0), 'image/png'))).body.error.code, 131053)
  assert.equal((await upload(form(new Uint8Array(5 * 1024 * 1024 + 1), 'image/png'))).body.error.code, 131053)
  assert.equal((await upload(form(new Uint8Array([1]), 'image/png', 'sms'))).body.error.code, 100)
})

test('a sample for a media header is uploaded with two requests', async () => {
  const { body: session } = await simulator.graph('POST', '1/uploads?file_length=3&file_type=image/png')
  const { body: handle } = await simulator.graph('POST', session.id, 'abc')
  assert.match(handle.h, /^4::/)
  assert.equal((await simulator.graph('POST', session.id, 'abc')).status, 400)
})
