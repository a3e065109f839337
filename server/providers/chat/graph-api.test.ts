import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createOutboundHttp } from '../../platform/outbound-fetch.ts'
import { type Answer, type Asked, startGraphPlatform } from '../../testing/graph-platform.ts'
import type { OutgoingMessage } from './contract.ts'
import { createGraphApi } from './graph-api.ts'

const platform = await startGraphPlatform()
const http = createOutboundHttp()
after(http.close)
const credentials = {
  phoneNumberId: '600500400300200',
  businessAccountId: '700100200300400',
  accessToken: 'EAAG-secret-token',
}
const chat = createGraphApi({ baseUrl: platform.url, version: 'v19.0', http, timeLimitMs: 30_000 }).connect(credentials)

const only = (): Asked => {
  assert.equal(platform.asked.length, 1)
  return platform.asked[0] as Asked
}

const accepted: Answer = {
  json: {
    contacts: [{ input: '+1', wa_id: '15550100002' }],
    messages: [{ id: 'wamid.A', message_status: 'accepted' }],
  },
}
const template = { id: '1', name: 'pickup', language: 'en', status: 'APPROVED' }
const to = { phoneNumber: '+15550100002' }

test('health is read with the fields that the version knows, and without an account that the token may not see', async () => {
  const unknown = { status: 400, json: { error: { message: '(#100) Tried accessing nonexisting field', code: 100 } } }
  const knows = (field: string, fields: object): Answer => {
    return (asked, response) => {
      const isKnown = asked.path.endsWith(credentials.phoneNumberId) && asked.query.fields?.endsWith(field)
      const { status, json } = isKnown ? { status: 200, json: { id: credentials.phoneNumberId, ...fields } } : unknown
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
    }
  }
  platform.answers(knows('messaging_limit_tier', { messaging_limit_tier: 'TIER_1K' }))
  assert.deepEqual(await chat.readHealth(), { messaging_limit_tier: 'TIER_1K' })
  const number = { entity_type: 'PHONE_NUMBER', additional_info: ['Your name is not approved.', 7] }
  const waba = { entity_type: 'WABA', errors: [{ error_description: 'Unpaid.' }, { error_code: 1 }, null] }
  const health_status = { can_send_message: 'BLOCKED', entities: [number, waba, 'x'] }
  platform.answers(knows('status,health_status', { status: 'FLAGGED', health_status }))
  assert.deepEqual(await chat.readHealth(), {
    number_status: 'FLAGGED',
    messaging_status: 'BLOCKED',
    messaging_problems: ['Your name is not approved.', 'Unpaid.'],
  })
  platform.answers(unknown)
  await assert.rejects(chat.readHealth(), { code: '100' })
})

test('the number is looked for on every page of its account, with or without cursors', async () => {
  const { phoneNumberId, businessAccountId } = credentials
  const pageAfter: Record<string, object> = {
    '': {
      data: [{ id: '1' }],
      paging: { next: `https://elsewhere.test/v19.0/${businessAccountId}/phone_numbers?after=b` },
    },
    b: { data: [{ id: '2' }], paging: { cursors: { after: 'c' }, next: 'https://elsewhere.test/?after=ignored' } },
    c: { data: [{ id: phoneNumberId }], paging: { cursors: { after: 'd' } } },
  }
  const answer: Answer = (asked, response) => {
    const isList = asked.path.endsWith('/phone_numbers')
    const json = isList ? pageAfter[asked.query.after ?? ''] : { id: phoneNumberId }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(json))
  }
  platform.answers(answer)
  assert.deepEqual(await chat.readNumber(), { isOfBusinessAccount: true })
  pageAfter.c = { data: [{ id: '3' }], paging: { cursors: { after: 'd' } } }
  platform.answers(answer)
  assert.deepEqual(await chat.readNumber(), { isOfBusinessAccount: false })
})

test('each message type is sent in the platform’s format', async () => {
  const cases: [OutgoingMessage, object][] = [
    [{ to, type: 'text', body: 'Hi', previewUrl: true }, { text: { body: 'Hi', preview_url: true } }],
    [{ to, type: 'image', media: { id: '9' }, caption: 'see' }, { image: { id: '9', caption: 'see' } }],
    [{ to, type: 'video', media: { link: 'https://x.test/v' } }, { video: { link: 'https://x.test/v' } }],
    [
      { to, type: 'document', media: { id: '9' }, fileName: 'a.pdf', caption: '' },
      { document: { id: '9', filename: 'a.pdf' } },
    ],
    [{ to, type: 'audio', media: { id: '9' } }, { audio: { id: '9' } }],
    [{ to, type: 'reaction', messageId: 'wamid.B', emoji: '' }, { reaction: { message_id: 'wamid.B', emoji: '' } }],
    [
      { to, type: 'template', name: 'pickup', language: 'en_US', components: [] },
      { template: { name: 'pickup', language: { code: 'en_US' } } },
    ],
    [
      { to, type: 'template', name: 'pickup', language: 'en_US', components: [{ type: 'body', parameters: [] }] },
      { template: { name: 'pickup', language: { code: 'en_US' }, components: [{ type: 'body', parameters: [] }] } },
    ],
  ]
  for (const [message, content] of cases) {
    platform.answers(accepted)
    assert.deepEqual(await chat.send(message), { id: 'wamid.A', recipientId: '15550100002', status: 'accepted' })
    const { method, path, json } = only()
    assert.deepEqual([method, path], ['POST', '/v19.0/600500400300200/messages'])
    assert.deepEqual(json, {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '+15550100002',
      type: message.type,
      ...content,
    })
  }
})

test('a reply quotes a message, carries callback data and can address a user by id', async () => {
  platform.answers({ json: { contacts: [{ user_id: 'US.77' }], messages: [{ id: 'wamid.C' }] } })
  const sent = await chat.send({
    to: { userId: 'US.77' },
    type: 'text',
    body: 'Hi',
    replyTo: 'wamid.A',
    callbackData: 'd1',
  })
  assert.deepEqual(sent, { id: 'wamid.C', recipientId: 'US.77', status: null })
  assert.deepEqual(only().json, {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    recipient: 'US.77',
    context: { message_id: 'wamid.A' },
    biz_opaque_callback_data: 'd1',
    type: 'text',
    text: { body: 'Hi' },
  })
})

test('a message is marked as read', async () => {
  for (const answer of [{ json: { success: true } }, { text: '' }, { text: 'true' }]) {
    platform.answers(answer)
    await chat.markRead('wamid.A')
    assert.deepEqual(only().json, { messaging_product: 'whatsapp', status: 'read', message_id: 'wamid.A' })
  }
})

test('the base URL may have a path, and ids are escaped', async () => {
  platform.answers({ json: template })
  const prefixed = createGraphApi({ baseUrl: `${platform.url}/meta/graph/`, version: 'v23.0', http })
  await prefixed.connect(credentials).findTemplate({ id: '../../me?x=1' })
  assert.equal(only().path, '/meta/graph/v23.0/..%2F..%2Fme%3Fx=1')
  for (const id of ['', '.', '..']) await assert.rejects(chat.findTemplate({ id }), { code: 'bad_id', verdict: 'fail' })
})

test('a served version other than the configured one is logged once', async () => {
  const warnings: unknown[] = []
  const api = createGraphApi({
    baseUrl: platform.url,
    version: 'v19.0',
    http,
    log: { warn: (...entry: unknown[]) => warnings.push(entry) },
  })
  platform.answers({ json: template, headers: { 'Facebook-API-Version': 'v19.0' } })
  await api.connect(credentials).findTemplate({ id: '1' })
  assert.deepEqual(warnings, [])
  platform.answers({ json: template, headers: { 'facebook-api-version': 'v21.0' } })
  for (let i = 0; i < 3; i++) await api.connect(credentials).findTemplate({ id: '1' })
  assert.deepEqual(warnings, [
    [{ asked: 'v19.0', served: 'v21.0' }, 'chat platform: API version differs from the configured one'],
  ])
})
