import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import Type from 'typebox'
import { ok, type TestApp, type TestOrganization } from './app.ts'
import { until } from './process.ts'

/** Plays the chat platform in tests: signs webhooks and posts them to a channel's hook. */

export const signatureOf = (secret: string, body: string | Uint8Array) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

export interface ConnectedChannel {
  id: string
  phoneNumberId: string
  businessAccountId: string
  appSecret: string
  verifyToken: string
  /** The path of its hook. */
  hook: string
}

let channels = 0

/** Creates a channel with its own chat credentials. */
export async function connectChannel(
  org: TestOrganization,
  chat: Record<string, unknown> = {},
): Promise<ConnectedChannel> {
  const n = ++channels
  const given = {
    phone_number_id: `60050040030${n}`,
    business_account_id: `70010020030${n}`,
    access_token: 'EAAJ-token',
    app_secret: `app-secret-${n}-${org.id}`,
    verify_token: `verify ${n}`,
    ...chat,
  }
  const { body, status, text } = await org.call('POST', 'channels', {
    phone_number: `+1415556${String(1000 + n)}`,
    chat: given,
  })
  assert.equal(status, 201, text)
  return {
    id: body.id,
    phoneNumberId: given.phone_number_id,
    businessAccountId: given.business_account_id,
    appSecret: given.app_secret as string,
    verifyToken: given.verify_token as string,
    hook: body.chat.hook_url,
  }
}

/** Posts like the platform. A payload that is a string or bytes is sent as it is. */
export function post(app: TestApp, channel: Pick<ConnectedChannel, 'hook' | 'appSecret'>, payload: unknown) {
  const body = typeof payload === 'string' || payload instanceof Uint8Array ? payload : JSON.stringify(payload)
  return app.call('POST', channel.hook, body, { 'x-hub-signature-256': signatureOf(channel.appSecret, body) })
}

type Channel = Pick<ConnectedChannel, 'phoneNumberId' | 'businessAccountId'>

export const payloadOf = (...entries: object[]) => ({ object: 'whatsapp_business_account', entry: entries })

const entryOf = ({ phoneNumberId, businessAccountId }: Channel, value: object) => ({
  id: businessAccountId,
  changes: [
    {
      field: 'messages',
      value: {
        messaging_product: 'whatsapp',
        metadata: { display_phone_number: '15550100009', phone_number_id: phoneNumberId },
        ...value,
      },
    },
  ],
})

let messages = 0
export const freshId = () => `wamid.TEST${++messages}`
export const secondsAgo = (seconds: number) => String(Math.floor(Date.now() / 1000) - seconds)

/** A message in the platform's format, a text by default. */
export const messageFrom = (from: string | undefined, message: Record<string, unknown> = {}) => ({
  ...(from && { from }),
  id: freshId(),
  timestamp: secondsAgo(5),
  type: 'text',
  ...(message.type === undefined && { text: { body: 'Is it open today?' } }),
  ...message,
})

export const textFrom = (from: string, body: string, more: Record<string, unknown> = {}) =>
  messageFrom(from, { type: 'text', text: { body }, ...more })

/** Each sender is listed among the contacts, named after its number unless a name is given. */
export const messagesTo = (channel: Channel, list: { from?: string }[], name?: string) =>
  entryOf(channel, {
    contacts: [...new Set(list.map(({ from }) => from))].map((wa_id) => ({
      profile: { name: name ?? `Person ${wa_id}` },
      wa_id,
    })),
    messages: list,
  })

export const valueFor = entryOf

export const statusesOf = (channel: Channel, statuses: object[]) => entryOf(channel, { statuses })

export const statusOf = (id: string, status: string, more: Record<string, unknown> = {}) => ({
  id,
  status,
  timestamp: secondsAgo(3),
  recipient_id: '15550100002',
  ...more,
})

const Count = Type.Object({ n: Type.Integer() })

/** Waits until every received webhook has been processed. */
export const processed = (app: TestApp) =>
  until(async () => {
    const { n } = await app.database.forSystem().one(Count)`
      select count(*)::int as n from incoming_hooks where attempts = 0`
    return n === 0
  })

/** Posts a webhook and waits until it has been processed. */
export async function deliver(app: TestApp, channel: ConnectedChannel, ...entries: object[]): Promise<void> {
  ok(await post(app, channel, payloadOf(...entries)))
  await processed(app)
}
