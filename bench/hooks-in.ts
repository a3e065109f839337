import { spawn } from 'node:child_process'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import pg from 'pg'
import { Pool } from 'undici'
import { newId } from '../server/platform/ids.ts'
import { fill } from './fill.ts'
import {
  benchDatabase,
  format,
  type Line,
  median,
  ratioLine,
  report,
  rounds,
  serve,
  serveFrontdesk,
} from './harness.ts'

/**
 * Benchmark 5: the platform's status webhooks, with 1 or 50 statuses each. Frontdesk stores each webhook before it
 * answers, then updates the messages and writes an event per change. Timed from the first request until all changes can
 * be read.
 *
 * The floor checks the signature, updates the rows by the same key and writes the events that the contract demands, in
 * one statement before it answers. A second floor leaves the events out, which shows what they cost. Last, the response
 * time at a steady 3,300 updates per second.
 */

const appSecret = 'a-secret-that-only-benchmarks-use'
const [phoneNumberId, businessAccountId] = ['600500400300200', '700100200300400']
const steadyPerSecond = 3_300
const steadySeconds = Number(process.env.BENCH_SECONDS ?? 4)
const shapes = [
  { batch: 1, hooks: Number(process.env.BENCH_HOOKS ?? 6_000), connections: 32 },
  { batch: 50, hooks: Number(process.env.BENCH_HOOKS ?? 6_000) / 10, connections: 32 },
]
const goal = 0.6
const answerGoalMs = 250

interface LoadOrder {
  url: string
  /** Number of the first platform message id; the others follow. */
  first: number
  hooks: number
  batch: number
  connections: number
  perSecond?: number
}

interface LoadOutcome {
  seconds: number
  p50: number
  p99: number
}

const chatId = (n: number) => `wamid.HBgLMTU1NTAxMDAwMDIVAgARGBJBN${String(n).padStart(16, '0')}`

if (process.argv[2] === 'floor') await floor(process.argv[3] === 'events')
else if (process.argv[2] === 'load') await generateLoad(JSON.parse(process.argv[3] as string))
else await bench()

async function bench() {
  const database = await benchDatabase()
  const { organizationId, secret } = await fill(database.connection, 1_000)
  const ours = await serveFrontdesk(database.connection)
  const channel = await createChannel(ours.url, secret)
  const hook = ours.url + channel.chat.hook_url
  const env = {
    BENCH_CONNECTION: JSON.stringify(database.connection),
    BENCH_CHANNEL: channel.id,
    BENCH_ORGANIZATION: organizationId,
  }
  const floors = [
    await serve(import.meta.filename, ['floor', 'events'], env),
    await serve(import.meta.filename, ['floor', 'bare'], env),
  ] as const
  const sides = { ours: hook, floor: `${floors[0].url}/hook`, bare: `${floors[1].url}/hook` }
  type Side = keyof typeof sides

  let made = 0
  /** Inserts as many sent messages as the measurement will update. */
  async function makeMessages(count: number): Promise<number> {
    const first = made
    made += count
    const numbers = Array.from({ length: count }, (_, i) => first + i)
    await database.query(
      `insert into messages (organization_id, livemode, id, contact_id, channel_id, chat_message_id, direction,
         message_type, body, status, actor_type, accepted_at)
       select $1, false, m.id, c.id, $2, m.chat_id, 'outbound', 'text', 'Your parcel is here.', 'sent', 'user', now()
       from unnest($3::uuid[], $4::text[]) with ordinality m (id, chat_id, n)
         join (select id, row_number() over () as n from contacts where organization_id = $1) c on c.n = 1 + m.n % 1000`,
      [organizationId, channel.id, numbers.map(() => newId()), numbers.map(chatId)],
    )
    await database.query('vacuum analyze messages')
    await database.query('checkpoint')
    return first
  }
  const isDone = async () =>
    (await database.query('select not exists (select from incoming_hooks) as done')).rows[0].done as boolean
  const check = async (first: number, count: number) => {
    const { rows } = await database.query(
      `select count(*)::int as n from messages where status = 'delivered' and chat_message_id = any($1)`,
      [Array.from({ length: count }, (_, i) => chatId(first + i))],
    )
    if (rows[0].n !== count) throw new Error(`${rows[0].n} of ${count} messages were moved`)
  }

  async function run(side: Side, order: Omit<LoadOrder, 'url' | 'first'>) {
    const count = order.hooks * order.batch
    const first = await makeMessages(count)
    const { begun, outcome } = startLoad({ ...order, first, url: sides[side] })
    const began = await begun
    const { p99 } = await outcome
    while (side === 'ours' && !(await isDone())) await sleep(5)
    const seconds = (performance.now() - began) / 1000
    await check(first, count)
    return { perSecond: count / seconds, p99 }
  }

  const lines: Line[] = []
  for (const { batch, hooks, connections } of shapes) {
    const speeds: Record<Side, number[]> = { ours: [], floor: [], bare: [] }
    const answers: Record<Side, number[]> = { ours: [], floor: [], bare: [] }
    const order = Object.keys(sides) as Side[]
    for (const side of order) await run(side, { batch, hooks: hooks / 4, connections })
    for (let round = 0; round < rounds; round++) {
      // Rotates the order, so that no side always runs first.
      order.push(order.shift() as Side)
      for (const side of order) speeds[side].push((await run(side, { batch, hooks, connections })).perSecond)
      const steady = {
        batch,
        hooks: Math.round((steadyPerSecond * steadySeconds) / batch),
        connections: 64,
        perSecond: steadyPerSecond / batch,
      }
      for (const side of order) answers[side].push((await run(side, steady)).p99)
      const last = (of: Record<Side, number[]>) => order.map((side) => `${side} ${format(of[side].at(-1) as number)}`)
      console.log(
        `batches of ${batch}, round ${round + 1}: ${last(speeds).join(', ')} updates/s; p99 at a steady pace ${last(answers).join(', ')} ms`,
      )
    }
    lines.push(ratioLine(`updates, ${batch} in each webhook`, speeds.ours, speeds.floor, '/s', goal))
    lines.push({
      ...ratioLine(`the same, against a floor that writes no events`, speeds.ours, speeds.bare, '/s', 0),
      goal: 'none',
    })
    // On a machine that is too slow for this rate both sides queue up; ours may then be as slow as the floor.
    const [p99, floorP99] = [median(answers.ours), median(answers.floor)]
    lines.push({
      what: `p99 of the answer at ${steadyPerSecond.toLocaleString('en')} updates/s, ${batch} in each`,
      ours: `${format(p99)} ms`,
      floor: `${format(floorP99)} ms`,
      ratio: (p99 / floorP99).toFixed(2),
      goal: `≤ ${answerGoalMs} ms, or the floor’s`,
      met: p99 <= Math.max(answerGoalMs, floorP99),
    })
  }
  report('5 · hooks in: signed status webhooks, until every update can be read', lines)
  await Promise.all([ours, ...floors].map((server) => server.stop()))
  await database.close()
}

async function createChannel(url: string, secret: string): Promise<{ id: string; chat: { hook_url: string } }> {
  const answer = await fetch(`${url}/api/v1/channels`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      phone_number: '+14155550123',
      chat: {
        phone_number_id: phoneNumberId,
        business_account_id: businessAccountId,
        access_token: 'token',
        app_secret: appSecret,
        verify_token: 'word',
      },
    }),
  })
  if (answer.status !== 201) throw new Error(await answer.text())
  return (await answer.json()) as never
}

/** The load comes from a process of its own, which prints when it starts. */
function startLoad(order: LoadOrder): { begun: Promise<number>; outcome: Promise<LoadOutcome> } {
  const child = spawn(process.execPath, [import.meta.filename, 'load', JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const begun = Promise.withResolvers<number>()
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
    if (output.includes('\n')) begun.resolve(performance.now())
  })
  const outcome = new Promise<LoadOutcome>((resolve, reject) => {
    child.once('exit', (code) => {
      if (code === 0) resolve(JSON.parse(output.split('\n')[1] as string))
      else {
        const error = new Error('the load generator failed')
        begun.reject(error)
        reject(error)
      }
    })
  })
  return { begun: begun.promise, outcome }
}

async function generateLoad({ url, first, hooks, batch, connections, perSecond }: LoadOrder) {
  const requests = Array.from({ length: hooks }, (_, i) => {
    const body = Buffer.from(bodyOf(first + i * batch, batch))
    const signature = createHmac('sha256', appSecret).update(body).digest('hex')
    return { body, headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` } }
  })
  const { origin, pathname } = new URL(url)
  const pool = new Pool(origin, { connections, pipelining: 1 })
  const latencies: number[] = []
  const send = async ({ body, headers }: (typeof requests)[0], due: number) => {
    const answer = await pool.request({ method: 'POST', path: pathname, body, headers })
    await answer.body.dump()
    if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`)
    latencies.push(performance.now() - due)
  }
  console.log('begins')
  const began = performance.now()
  if (perSecond === undefined) {
    let next = 0
    await Promise.all(
      Array.from({ length: connections }, async () => {
        for (let request = requests[next++]; request; request = requests[next++]) await send(request, performance.now())
      }),
    )
  } else {
    // Open loop at a steady rate: time spent waiting for a connection counts as latency.
    const sending: Promise<void>[] = []
    for (let next = 0; next < hooks; await sleep(1)) {
      const dueUntil = ((performance.now() - began) / 1000) * perSecond
      for (; next < hooks && next <= dueUntil; next++)
        sending.push(send(requests[next] as (typeof requests)[0], began + (next / perSecond) * 1000))
    }
    await Promise.all(sending)
  }
  const seconds = (performance.now() - began) / 1000
  latencies.sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] as number
  console.log(JSON.stringify({ seconds, p50: at(0.5), p99: at(0.99) } satisfies LoadOutcome))
  await pool.close()
}

/** In the platform's format. */
function bodyOf(first: number, batch: number): string {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const statuses = Array.from({ length: batch }, (_, i) => ({
    id: chatId(first + i),
    status: 'delivered',
    timestamp,
    recipient_id: '15550100002',
    conversation: { id: 'c0ffee01c0ffee01c0ffee01c0ffee01', origin: { type: 'utility' } },
    pricing: { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' },
  }))
  const metadata = { display_phone_number: '15550100009', phone_number_id: phoneNumberId }
  const value = { messaging_product: 'whatsapp', metadata, statuses }
  const entry = [{ id: businessAccountId, changes: [{ value, field: 'messages' }] }]
  return JSON.stringify({ object: 'whatsapp_business_account', entry })
}

/**
 * The least code that does the work: nothing is stored first, statuses are applied without checks, and only messages
 * are looked up.
 */
async function floor(withEvents: boolean) {
  const pool = new pg.Pool({
    ...JSON.parse(process.env.BENCH_CONNECTION as string),
    max: 10,
    options: '-c timezone=UTC',
  })
  const key = [process.env.BENCH_ORGANIZATION, process.env.BENCH_CHANNEL]
  const ofOne = `update messages m set status = $4, updated_at = now()
    where organization_id = $1 and not livemode and channel_id = $2 and chat_message_id = $3 and chat_message_id <> ''`
  const ofMany = `update messages m set status = s.status, updated_at = now()
    from unnest($3::text[], $4::text[]) s (id, status)
    where organization_id = $1 and not livemode and channel_id = $2 and chat_message_id = s.id and chat_message_id <> ''`
  const addingEvents = (update: string) => `with moved as (${update} returning m.*)
    insert into events (organization_id, livemode, id, type, data)
    select m.organization_id, m.livemode, ($5::uuid[])[row_number() over ()], 'message.' || m.status, jsonb_build_object('object',
      jsonb_build_object('id', m.id, 'inbox_id', m.ticket_id, 'organization_id', m.organization_id, 'contact_id', m.contact_id,
        'chat_phone_number_id', m.channel_id, 'chat_message_id', m.chat_message_id, 'direction', m.direction,
        'message_type', m.message_type, 'body', m.body, 'status', m.status, 'error', m.error, 'media_url', media.id,
        'media_mime_type', media.mime_type, 'media_filename', media.file_name, 'context_message_id', m.context_message_id,
        'reactions', m.reactions, 'payload', m.payload, 'actor_type', m.actor_type, 'actor_id', m.actor_id,
        'livemode', m.livemode, 'created_at', iso(m.created_at), 'updated_at', iso(m.updated_at)))
    from moved m left join message_media media on media.organization_id = m.organization_id
      and media.livemode = m.livemode and media.message_id = m.id`
  const one = { name: 'one', text: withEvents ? addingEvents(ofOne) : ofOne }
  const many = { name: 'many', text: withEvents ? addingEvents(ofMany) : ofMany }
  const app = Fastify({ bodyLimit: 4 * 1024 * 1024 })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.post('/hook', async (request, reply) => {
    const body = request.body as Buffer
    const given = Buffer.from(String(request.headers['x-hub-signature-256']).slice(7), 'hex')
    const right = createHmac('sha256', appSecret).update(body).digest()
    if (given.length !== right.length || !timingSafeEqual(given, right)) return reply.code(403).send()
    const [{ changes }] = JSON.parse(body.toString()).entry
    const { statuses } = changes[0].value
    const ids = statuses.map(({ id }: { id: string }) => id)
    const words = statuses.map(({ status }: { status: string }) => status)
    const events = withEvents ? [ids.map(() => newId())] : []
    if (ids.length === 1) await pool.query({ ...one, values: [...key, ids[0], words[0], ...events] })
    else await pool.query({ ...many, values: [...key, ids, words, ...events] })
    return reply.send()
  })
  console.log(`listening ${await app.listen({ host: '127.0.0.1', port: 0 })}`)
  process.once('SIGTERM', () => process.exit())
}
