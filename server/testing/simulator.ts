import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import { after } from 'node:test'
import { pino } from 'pino'
import { createSimulator, type SimulatorOptions } from '../../simulator/create-simulator.ts'
import { createMemoryStore } from '../../simulator/store.ts'
import { createOfflineSpeech, type OfflineSpeech } from '../providers/speech/offline.ts'
import { ok, type Reply } from './app.ts'
import { handling, listenLocally } from './listen-locally.ts'
import { until } from './process.ts'

/** One update of a webhook. */
interface ReceivedUpdate {
  account: string
  field: string
  /** The POST that carried it, counted from 0. */
  post: number
  // Tests look into it freely.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  value: any
}

interface Listener {
  url: string
  /** The raw bodies. */
  bodies: string[]
  /** Every message, status and event, in order of arrival. */
  updates: ReceivedUpdate[]
  statuses(id: string): string[]
  /** Sets the status of further responses. */
  answerWith(status: number): void
  /** Waits for a matching update. */
  hear(fits: (update: ReceivedUpdate) => boolean): Promise<ReceivedUpdate>
}

/** A receiver of the simulator's webhooks. It checks each signature. */
async function startListener(appSecret: string): Promise<Listener> {
  let answer = 200
  const listener: Listener = {
    url: '',
    bodies: [],
    updates: [],
    statuses: (id) => listener.updates.flatMap(({ value }) => (value.id === id && value.status ? [value.status] : [])),
    answerWith(status) {
      answer = status
    },
    async hear(fits) {
      await until(async () => listener.updates.some(fits))
      return listener.updates.find(fits) as ReceivedUpdate
    },
  }
  const server = createServer(
    handling(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const raw = Buffer.concat(chunks)
      const signature = createHmac('sha256', appSecret).update(raw).digest('hex')
      assert.equal(request.headers['x-hub-signature-256'], `sha256=${signature}`)
      if (answer === 200) {
        listener.bodies.push(raw.toString())
        listener.updates.push(...updatesIn(raw.toString(), listener.bodies.length - 1))
      }
      response.writeHead(answer).end()
    }),
  )
  const { url } = await listenLocally(server)
  listener.url = `${url}/hook`
  return listener
}

function updatesIn(body: string, post: number): ReceivedUpdate[] {
  const { object, entry } = JSON.parse(body)
  assert.equal(object, 'whatsapp_business_account')
  return entry.flatMap(({ id: account, changes }: { id: string; changes: { field: string; value: never }[] }) =>
    changes.flatMap(({ field, value }) => {
      if (field !== 'messages') return [{ account, field, post, value }]
      const { messages = [], statuses = [], ...around } = value as { messages?: object[]; statuses?: object[] }
      return [...messages, ...statuses].map((part) => ({ account, field, post, value: { ...part, around } }))
    }),
  )
}

export interface TestSimulator {
  url: string
  phoneNumberId: string
  account: string
  token: string
  appSecret: string
  listener: Listener
  /** Calls the Graph API, by default with the number's token. */
  graph(method: string, path: string, body?: unknown, token?: string): Promise<Reply>
  control(method: string, path: string, body?: unknown): Promise<Reply>
  send(to: string, message: object): Promise<Reply>
  /** Sends a message as this customer, which opens the 24-hour window. */
  writeFrom(from: string, body?: string): Promise<string>
  /** Creates an approved template with one variable, `{{1}}`. */
  template(name: string, draft?: object): Promise<string>
  close(): Promise<void>
}

let count = 0

/** A separate simulator with one number and a webhook receiver. */
export async function startTestSimulator(options: Partial<SimulatorOptions> = {}): Promise<TestSimulator> {
  let speech: OfflineSpeech | undefined
  const simulator = createSimulator({
    store: createMemoryStore(),
    speed: 0,
    log: pino({ level: 'silent' }),
    speech: () => (speech ??= createOfflineSpeech({ processes: 1 })),
    ...options,
  })
  const url = await simulator.listen({ host: '127.0.0.1', port: 0 })
  let closing: Promise<void> | undefined
  const close = () => (closing ??= simulator.close().then(() => speech?.close()))
  after(close)
  const n = ++count
  const [phoneNumberId, account, token] = [`60050040030${n}`, `70010020030${n}`, `token-${n}`]
  const appSecret = `app-secret-${n}`
  const listener = await startListener(appSecret)

  const call = async (method: string, path: string, body: unknown, bearer?: string): Promise<Reply> => {
    const answer = await fetch(url + path, {
      method,
      headers: {
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
        ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && {
        body: body instanceof FormData ? body : typeof body === 'string' ? body : JSON.stringify(body),
      }),
    })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.startsWith('application/json')
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      text,
      body: isJson ? JSON.parse(text) : undefined,
    }
  }
  const graph: TestSimulator['graph'] = (method, path, body, bearer = token) =>
    call(method, `/v19.0/${path}`, body, bearer)
  const control: TestSimulator['control'] = (method, path, body) => call(method, `/simulator/${path}`, body)

  ok(
    await control('PUT', `numbers/${phoneNumberId}`, {
      business_account_id: account,
      display_phone_number: '+1 800 555 0199',
      access_token: token,
      app_secret: appSecret,
      callback_url: listener.url,
    }),
  )
  return {
    url,
    phoneNumberId,
    account,
    token,
    appSecret,
    listener,
    graph,
    control,
    send: (to, message) =>
      graph('POST', `${phoneNumberId}/messages`, { messaging_product: 'whatsapp', to, ...message }),
    async writeFrom(from, body = 'hi') {
      const answer = ok(
        await control('POST', 'inbound', {
          phone_number_id: phoneNumberId,
          from,
          message: { type: 'text', text: { body } },
        }),
      )
      return answer.messages[0].id
    },
    async template(name, draft = {}) {
      const created = ok(
        await graph('POST', `${account}/message_templates`, {
          name,
          language: 'en_US',
          category: 'UTILITY',
          components: [{ type: 'BODY', text: 'Hello {{1}}, we are open today.', example: { body_text: [['Ada']] } }],
          ...draft,
        }),
      )
      await until(async () => (await graph('GET', `${created.id}?fields=status`)).body.status !== 'PENDING')
      return created.id
    },
    close,
  }
}
