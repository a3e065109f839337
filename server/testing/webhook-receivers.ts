import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { Webhook as Verifier } from 'standardwebhooks'
import type { Webhook, WebhookDelivery } from '../features/webhooks/schema.ts'
import type { CallAs } from './app.ts'
import { listenLocally } from './listen-locally.ts'
import { until } from './process.ts'

export interface Received {
  id: string
  path: string
  headers: IncomingHttpHeaders
  body: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events freely
  event: any
  at: number
}

export interface Receiver {
  url: string
  received: Received[]
  /** How it responds from now on; by default with 200. */
  answer: (response: ServerResponse, request: Received) => void
  close(): Promise<void>
}

/** An endpoint over real HTTP that keeps all requests it receives. */
export async function receiver(answer?: Receiver['answer'], port = 0): Promise<Receiver> {
  const own: Receiver = {
    url: '',
    received: [],
    answer: answer ?? ((response) => void response.end('ok')),
    close: async () => {},
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const { headers, url: path = '' } = request
      const got = { id: String(headers['webhook-id']), path, headers, body, event: tryJson(body), at: Date.now() }
      own.received.push(got)
      own.answer(response, got)
    })
  })
  Object.assign(own, await listenLocally(server, port))
  return own
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export type MadeWebhook = Webhook & { secret: string }

export async function makeWebhook(call: CallAs, url: string, events = ['*'], members = {}): Promise<MadeWebhook> {
  const { status, body, text } = await call('POST', 'webhooks', { url, events, ...members })
  assert.equal(status, 201, text)
  return body
}

/** Throws unless the public library accepts the signature. */
export const verify = (secret: string, { body, headers }: Received) =>
  new Verifier(secret).verify(body, headers as Record<string, string>)

export const seeWebhook = async (call: CallAs, id: string): Promise<Webhook> =>
  (await call('GET', `webhooks/${id}`)).body

export async function seeDeliveries(call: CallAs, webhookId: string, query = ''): Promise<WebhookDelivery[]> {
  const { status, body, text } = await call('GET', `webhooks/${webhookId}/deliveries?limit=100${query}`)
  assert.equal(status, 200, text)
  return body.data
}

/** Waits until the delivery of that event meets the condition. */
export async function untilDelivery(
  call: CallAs,
  webhookId: string,
  id: string,
  condition: (delivery: WebhookDelivery) => boolean,
): Promise<WebhookDelivery> {
  let found: WebhookDelivery | undefined
  await until(async () => {
    found = (await seeDeliveries(call, webhookId)).find((each) => each.id === id)
    return found !== undefined && condition(found)
  })
  return found as WebhookDelivery
}
