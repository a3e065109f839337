import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request, setGlobalDispatcher } from 'undici'
import { wordFile } from '../server/testing/docx.ts'
import { houseTexts } from './retrieval-texts/house-texts.ts'
import { serviceTexts } from './retrieval-texts/service-texts.ts'
import { makeWordSoup } from './retrieval-texts/word-soup.ts'

/**
 * For benchmark 15: the clients of an API, in a process of their own. `POST /reads` begins the reads, `POST /rest`
 * everything else; `GET` returns what was measured since the last one.
 */

export interface LoadOrder {
  url: string
  key: string
  campaign: { channelId: string; templateId: string; tags: string[] }
  /** Inbound messages arrive here. */
  hook: { url: string; appSecret: string; phoneNumberId: string; businessAccountId: string }
}

export interface LoadSeen {
  /** How long each read took, from when it was due. */
  readMs: number[]
  hookMs: number[]
  writes: number
  hooks: number
  campaigns: number
  documents: number
  /** What did not succeed, by what it was. */
  failed: Record<string, number>
}

const perSecond = { reads: 30, writes: 5, hooks: 10 }
const minuteMs = 60_000
const pagesPerMinute = 50
const paths = [
  'contacts',
  'contacts?search=Person+77',
  'contacts?tag=group3',
  'inbox/tickets',
  'crm/dashboard',
  'events',
  'crm/tasks',
  'campaigns',
]

const order: LoadOrder = JSON.parse(process.env.BENCH_ORDER as string)
setGlobalDispatcher(new Agent({ connections: 200, pipelining: 1 }))
const nothing = (): LoadSeen => ({
  readMs: [],
  hookMs: [],
  writes: 0,
  hooks: 0,
  campaigns: 0,
  documents: 0,
  failed: {},
})
let seen = nothing()

async function call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) {
  const answer = await request(`${order.url}/api/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${order.key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.body.text()
  if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 200)}`)
  // biome-ignore lint/suspicious/noExplicitAny: a benchmark looks into answers freely
  return JSON.parse(text) as any
}

/** Begins the work at a steady rate, however long it takes, and says when each one was due. */
async function steadily(what: string, rate: number, work: (n: number, due: number) => Promise<void>): Promise<void> {
  const began = performance.now()
  for (let n = 0; ; n++) {
    const due = began + (n * 1000) / rate
    await sleep(Math.max(0, due - performance.now()))
    void work(n, due).catch((error: Error) => {
      if (!seen.failed[what]) console.error(`${what}: ${error.message}`)
      seen.failed[what] = (seen.failed[what] ?? 0) + 1
    })
  }
}

async function read(n: number, due: number): Promise<void> {
  await call('GET', paths[n % paths.length] as string)
  seen.readMs.push(performance.now() - due)
}

async function write(n: number): Promise<void> {
  await call('POST', 'contacts', { phone_number: `+1310${5_550_000 + n}`, name: `Caller ${n}`, tags: ['new'] })
  seen.writes++
}

/** One of a thousand customers writes. */
async function writeAsCustomer(n: number, due: number): Promise<void> {
  const { url, appSecret, phoneNumberId, businessAccountId } = order.hook
  const from = `1415555${String(n % 1_000).padStart(4, '0')}`
  const message = {
    id: `wamid.bench${n}`,
    from,
    timestamp: String(Math.floor(Date.now() / 1000)),
    type: 'text',
    text: { body: `Where is parcel ${n}?` },
  }
  const metadata = { display_phone_number: '14155550123', phone_number_id: phoneNumberId }
  const contacts = [{ wa_id: from, profile: { name: `Customer ${n % 1_000}` } }]
  const value = { messaging_product: 'whatsapp', metadata, contacts, messages: [message] }
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: businessAccountId, changes: [{ value, field: 'messages' }] }],
  })
  const signature = createHmac('sha256', appSecret).update(body).digest('hex')
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` }
  const answer = await request(url, { method: 'POST', headers, body })
  await answer.body.dump()
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}`)
  seen.hookMs.push(performance.now() - due)
  seen.hooks++
}

async function sendCampaign(n: number): Promise<void> {
  const { channelId, templateId, tags } = order.campaign
  await call('POST', 'campaigns', {
    name: `Minute ${n}`,
    chat_phone_number_id: channelId,
    message_template_id: templateId,
    audience_type: 'tags',
    audience_tags: [tags[n % tags.length]],
  })
  seen.campaigns++
}

const passages = [...houseTexts, ...serviceTexts].flatMap((document) => document.passages.map(([text]) => text))
/** The documents that are kept; the oldest goes when one is added. */
const kept: string[] = []
const mostKept = 10

async function ingest(n: number): Promise<void> {
  const pages = makeWordSoup(passages, { documents: pagesPerMinute, words: 400, seed: n })
  const bytes = wordFile(pages.flatMap((page, i) => [{ heading: `Chapter ${i + 1}`, level: 1 }, ...page.split('\n\n')]))
  const form = new FormData()
  form.append('file', new Blob([Uint8Array.from(bytes)]), `manual-${n}.docx`)
  const headers = { authorization: `Bearer ${order.key}` }
  const answer = await fetch(`${order.url}/api/v1/knowledge-base/upload`, { method: 'POST', headers, body: form })
  if (answer.status >= 300) throw new Error(`${answer.status} ${await answer.text()}`)
  const { id } = (await answer.json()) as { id: string }
  for (let status = ''; status !== 'ready'; await sleep(500)) {
    status = (await call('GET', `knowledge-base/${id}`)).status
    if (status === 'failed') throw new Error('the document failed')
  }
  seen.documents++
  kept.push(id)
  if (kept.length > mostKept) await call('DELETE', `knowledge-base/${kept.shift()}`)
}

const server = createServer((asked, response) => {
  if (asked.url === '/reads') void steadily('reads', perSecond.reads, read)
  if (asked.url === '/rest') {
    void steadily('writes', perSecond.writes, write)
    void steadily('hooks', perSecond.hooks, writeAsCustomer)
    void steadily('campaigns', 1000 / minuteMs, sendCampaign)
    void steadily('documents', 1000 / minuteMs, ingest)
  }
  response.end(JSON.stringify(seen))
  seen = nothing()
})
server.listen(0, '127.0.0.1', () => console.log(`listening http://127.0.0.1:${(server.address() as AddressInfo).port}`))
process.once('SIGTERM', () => process.exit())
