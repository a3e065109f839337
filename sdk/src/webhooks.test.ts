import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { verifyWebhook, WebhookError } from './index.ts'

const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
const body = '{"id":"evt_0001","type":"message.delivered","data":{"object":{"id":"msg_77","body":"Grüße 👋"}}}'

/** Signed by the public Standard Webhooks library. */
function signed(text = body, { id = 'evt_0001', at = new Date(), by = secret } = {}) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(by).sign(id, at, text),
  }
}

test('a signature of the public library is accepted, in any form of body and headers', async () => {
  const headers = signed()
  const bytes = new TextEncoder().encode(body)
  const inBuffer = new Uint8Array([0, ...bytes]).subarray(1)
  for (const each of [body, bytes, inBuffer, bytes.buffer])
    for (const given of [headers, new Headers(headers), capitalized(headers)])
      assert.deepEqual(await verifyWebhook({ body: each, headers: given, secret }), JSON.parse(body))
})

test('the test vector of the specification verifies', async () => {
  const headers = {
    'webhook-id': 'evt_0001',
    'webhook-timestamp': '1767323045',
    'webhook-signature': 'v1,lVeu3P7EhwHY0MP/v+hwLDBEbrxHs1rLzUnPZcjYZWg=',
  }
  const text = '{"type":"message.delivered","timestamp":"2026-01-02T03:04:05Z","data":{"id":"msg_77"}}'
  const event = await verifyWebhook({ body: text, headers, secret, toleranceSeconds: Number.POSITIVE_INFINITY })
  assert.equal(event.type, 'message.delivered')
})

test('during a rotation, any of the signatures and any of the secrets verifies', async () => {
  const other = 'whsec_BBECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
  const both = `${signed(body, { by: other })['webhook-signature']} v1a,xx ${signed()['webhook-signature']}`
  assert.ok(await verifyWebhook({ body, headers: { ...signed(), 'webhook-signature': both }, secret }))
  assert.ok(await verifyWebhook({ body, headers: signed(body, { by: other }), secret: [secret, other] }))
})

test('anything changed, missing or forged is refused', async () => {
  const good = signed()
  const other = 'whsec_BBECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
  const bad: [string, object][] = [
    [`${body} `, good],
    [body.replace('77', '78'), good],
    [body, { ...good, 'webhook-id': 'evt_0002' }],
    [body, { ...good, 'webhook-timestamp': String(Number(good['webhook-timestamp']) + 1) }],
    [body, { ...good, 'webhook-timestamp': 'yesterday' }],
    [body, { ...good, 'webhook-timestamp': '-1' }],
    [body, { ...good, 'webhook-signature': good['webhook-signature'].replace('v1,', 'v2,') }],
    [body, { ...good, 'webhook-signature': good['webhook-signature'].slice(0, 20) }],
    [body, { ...good, 'webhook-signature': 'v1,' }],
    [body, { ...good, 'webhook-signature': 'v1,%%%' }],
    [body, { ...good, 'webhook-signature': '' }],
    [body, { ...good, 'webhook-id': undefined }],
    [body, signed(body, { by: other })],
    [body, signed(body, { at: new Date(Date.now() - 301_000) })],
    [body, signed(body, { at: new Date(Date.now() + 600_000) })],
  ]
  for (const [text, headers] of bad)
    await assert.rejects(
      verifyWebhook({ body: text, headers: headers as Record<string, string>, secret }),
      WebhookError,
      JSON.stringify(headers),
    )
})

test('an invalid secret is reported as a mistake of the receiver', async () => {
  for (const each of ['', 'whsec_', 'whsec_%%%'])
    await assert.rejects(verifyWebhook({ body, headers: signed(), secret: each }), /The webhook secret is not one/)
})

const capitalized = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
