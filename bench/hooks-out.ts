import { createHmac, createSecretKey } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import pg from 'pg'
import { Pool } from 'undici'
import { cpuPerRequest } from './cpu.ts'
import { fill } from './fill.ts'
import {
  atMostLine,
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
 * Benchmark 6: events to 20 endpoints, one of which is dead and one answers after three seconds. Frontdesk starts from
 * events in the outbox and is done when each of the 18 healthy endpoints has every event and the log says so.
 *
 * The floor has the bodies in memory, signs each in the same way and posts it to the 18 endpoints through one
 * `undici` Pool each, without reading or recording anything. A second floor reads its work from existing rows and
 * records each response, 1,000 rows per statement. Last, the time until a healthy endpoint has an event, at a steady
 * quarter of the bare floor's throughput.
 */

const healthy = 18
const events = Number(process.env.BENCH_HOOKS ?? 2_000)
const connectionsEach = 32
/**
 * Share of the bare floor's throughput. More would measure a saturated machine, and creating the events takes part of
 * it too.
 */
const steadyShare = 0.25
const steadySeconds = Number(process.env.BENCH_SECONDS ?? 5)
const goal = 0.6
const firstAttemptGoalMs = 1_000

interface Stats {
  received: number
  distinct: number
  p50: number
  p99: number
}

if (process.argv[2] === 'sink') await sink()
else if (process.argv[2] === 'floor') await floor()
else await bench()

async function bench() {
  const database = await benchDatabase()
  const { organizationId, secret: key } = await fill(database.connection, 1_000)
  const endpoints = await serve(import.meta.filename, ['sink'], {})
  const { urls, slow, dead } = (await (await fetch(`${endpoints.url}/urls`)).json()) as Record<string, string[]> & {
    urls: string[]
  }
  const ours = await serveFrontdesk(database.connection, { OUTBOUND_ALLOW: '127.0.0.1' })
  const bare = await serve(import.meta.filename, ['floor'], {
    BENCH_CONNECTION: JSON.stringify(database.connection),
    BENCH_URLS: JSON.stringify(urls),
  })
  const call = async (method: string, path: string, body: unknown) => {
    const answer = await fetch(`${ours.url}/api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(await answer.text())
    return (await answer.json()) as { id: string }
  }
  const webhooks: string[] = []
  for (const url of [...urls, ...(slow as string[]), ...(dead as string[])])
    webhooks.push((await call('POST', 'webhooks', { url, events: ['*'] })).id)
  const wellIds = webhooks.slice(0, healthy)
  const stats = async (reset = false) =>
    (await (await fetch(`${endpoints.url}/stats${reset ? '?reset' : ''}`)).json()) as Stats

  /** Cheap enough to poll during the measurement. */
  const receivedSoFar = async () => Number(await (await fetch(`${endpoints.url}/received`)).text())

  async function checked(count: number): Promise<void> {
    const { received, distinct } = await stats()
    if (distinct !== count || received !== count)
      throw new Error(`${received} posts of ${distinct} instead of ${count}`)
  }

  /** From the commit of the events until every healthy endpoint has them and the log says so. */
  async function runOurs(count: number): Promise<number> {
    await stats(true)
    const { rows } = await database.query('select coalesce(max(id::text), $1) as last from events', [
      '00000000-0000-0000-0000-000000000000',
    ])
    await database.query(
      `insert into events (organization_id, livemode, id, type, data)
       select organization_id, livemode, new_id(), 'contact.updated', jsonb_build_object('object', to_jsonb(c) - 'search_text')
       from contacts c cross join generate_series(1, ceil($2::numeric / 1000)::int) where organization_id = $1 limit $2`,
      [organizationId, count],
    )
    const began = performance.now()
    await database.query(`select pg_notify('frontdesk', 'events')`)
    for (;;) {
      if ((await receivedSoFar()) >= count * healthy) {
        const done = await database.query(
          `select count(*)::int as n from webhook_deliveries
           where webhook_id = any($1) and id > $2 and status = 'succeeded'`,
          [wellIds, rows[0].last],
        )
        if (done.rows[0].n >= count * healthy) break
      }
      await sleep(20)
    }
    const seconds = (performance.now() - began) / 1000
    await checked(count * healthy)
    await database.query('vacuum analyze webhook_deliveries')
    return (count * healthy) / seconds
  }

  async function runFloor(kind: 'bare' | 'recording', count: number): Promise<number> {
    if (kind === 'recording') await prepareRows(count)
    await stats(true)
    const answer = await fetch(`${bare.url}/${kind}?count=${count}`, { method: 'POST' })
    if (!answer.ok) throw new Error(await answer.text())
    const { seconds } = (await answer.json()) as { seconds: number }
    await checked(count * healthy)
    return (count * healthy) / seconds
  }

  /** The rows that Frontdesk has to create from the events by itself. */
  async function prepareRows(count: number): Promise<void> {
    await database.query(`
      drop table if exists plain_deliveries;
      create table plain_deliveries (endpoint int not null, id uuid not null, status text not null default 'pending',
        attempts int not null default 0, attempted_at timestamptz, response_status smallint, primary key (endpoint, id))`)
    await database.query(
      `insert into plain_deliveries (endpoint, id)
       select endpoint, id from (select id from events order by id desc limit $1) e, generate_series(0, $2::int - 1) endpoint`,
      [count, healthy],
    )
    await database.query('vacuum analyze plain_deliveries')
  }

  const speeds = { ours: [] as number[], bare: [] as number[], recording: [] as number[] }
  const cpu = { ours: [] as number[], bare: [] as number[], recording: [] as number[] }
  const requests = events * healthy
  await runOurs(events / 4)
  for (const kind of ['bare', 'recording'] as const) await runFloor(kind, events / 4)
  for (let round = 0; round < rounds; round++) {
    const measure = async (side: keyof typeof speeds, server: { pid: number }, run: () => Promise<number>) => {
      const measured = await cpuPerRequest({ server, database }, async () => ({ requests, speed: await run() }))
      speeds[side].push(measured.result.speed)
      cpu[side].push(measured.cpu)
    }
    await measure('ours', ours, () => runOurs(events))
    for (const kind of ['bare', 'recording'] as const) await measure(kind, bare, () => runFloor(kind, events))
    const latest = (values: Record<string, number[]>, unit: string) =>
      Object.entries(values).map(([side, each]) => `${side} ${format(each.at(-1) as number)}${unit}`)
    console.log(`round ${round + 1}: ${[...latest(speeds, '/s'), ...latest(cpu, ' µs')].join(', ')}`)
  }

  const waits: Stats[] = []
  const steadyPerSecond = Math.max(1, Math.round((median(speeds.bare) * steadyShare) / healthy))
  for (let round = 0; round < rounds; round++) {
    await stats(true)
    const count = steadyPerSecond * steadySeconds
    const began = performance.now()
    const sent: Promise<unknown>[] = []
    for (let n = 0; n < count; n++) {
      const due = began + (n * 1000) / steadyPerSecond
      if (due > performance.now()) await sleep(due - performance.now())
      sent.push(call('POST', 'contacts', { phone_number: `+49${1_000_000_000 + round * 100_000 + n}` }))
    }
    await Promise.all(sent)
    while ((await receivedSoFar()) < count * healthy) await sleep(20)
    waits.push(await stats())
  }
  const p99 = median(waits.map((each) => each.p99))
  const noGoal = { goal: 'none', met: true }
  const steady: Line = {
    what: `first attempt at a healthy endpoint, at ${steadyPerSecond} events/s: p99 (p50 ${format(median(waits.map((each) => each.p50)))} ms)`,
    ours: `${format(p99)} ms`,
    floor: '',
    ratio: '',
    goal: `≤ ${firstAttemptGoalMs} ms`,
    met: p99 <= firstAttemptGoalMs,
  }
  report('6 · hooks out: events to 20 endpoints, one of them dead and one slow', [
    ratioLine('deliveries, against signing and posting alone', speeds.ours, speeds.bare, '/s', goal),
    {
      ...ratioLine('the same, against a floor that records each response', speeds.ours, speeds.recording, '/s', 0),
      ...noGoal,
    },
    { ...atMostLine('CPU of Node for each delivery', cpu.ours, cpu.bare, 'µs', 0), ...noGoal },
    { ...atMostLine('the same, against a floor that records', cpu.ours, cpu.recording, 'µs', 0), ...noGoal },
    steady,
  ])
  await Promise.all([ours, bare, endpoints].map((server) => server.stop()))
  await database.close()
}

/** Twenty endpoints that count what they receive and measure its age. */
async function sink() {
  const seen: Set<string>[] = []
  let received = 0
  let ages: number[] = []
  const listen = (server: ReturnType<typeof createServer>) =>
    new Promise<string>((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)),
    )
  const urls: string[] = []
  for (let n = 0; n < healthy; n++) {
    const ids = new Set<string>()
    seen.push(ids)
    const server = createServer((request, response) => {
      const id = request.headers['webhook-id'] as string
      request.resume()
      request.once('end', () => {
        received++
        ids.add(id)
        // The event's id contains its timestamp.
        ages.push(Date.now() - Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
        response.end()
      })
    })
    server.keepAliveTimeout = 60_000
    urls.push(await listen(server))
  }
  const slow = createServer((request, response) => {
    request.resume()
    setTimeout(() => response.end(), 3_000)
  })
  const gone = createServer()
  const dead = await listen(gone)
  gone.close()
  const slowUrl = await listen(slow)
  const control = Fastify()
  control.get('/urls', async () => ({ urls, slow: [slowUrl], dead: [dead] }))
  control.get('/received', async () => String(received))
  control.get('/stats', async (request) => {
    const sorted = ages.sort((a, b) => a - b)
    const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
    const stats = { received, distinct: seen.reduce((sum, ids) => sum + ids.size, 0), p50: at(0.5), p99: at(0.99) }
    if (request.url.includes('reset')) {
      received = 0
      ages = []
      for (const ids of seen) ids.clear()
    }
    return stats
  })
  console.log(`listening ${await control.listen({ host: '127.0.0.1', port: 0 })}`)
  process.once('SIGTERM', () => process.exit())
}

/** The least code that posts the same signed bodies. */
async function floor() {
  const urls: string[] = JSON.parse(process.env.BENCH_URLS as string)
  const client = new pg.Pool({
    ...JSON.parse(process.env.BENCH_CONNECTION as string),
    max: 4,
    options: '-c timezone=UTC',
  })
  const pools = urls.map((url) => new Pool(url, { connections: connectionsEach, pipelining: 1 }))
  const key = createSecretKey(Buffer.alloc(32, 7))
  interface Body {
    id: string
    body: string
  }
  const bodies = async (count: number): Promise<Body[]> => {
    const { rows } = await client.query(
      `select id::text, '{"id":"' || id || '","type":"' || type || '","timestamp":"' || iso(created_at) || '","created_at":"'
        || iso(created_at) || '","organization_id":"' || organization_id || '","livemode":false,"data":' || data::text || '}' as body
       from events order by id desc limit $1`,
      [count],
    )
    return rows
  }
  const post = async (pool: Pool, { id, body }: Body) => {
    const at = String(Math.floor(Date.now() / 1000))
    const answer = await pool.request({
      method: 'POST',
      path: '/',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'floor',
        'webhook-id': id,
        'webhook-timestamp': at,
        'webhook-signature': `v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`,
      },
      body,
    })
    await answer.body.dump()
    if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`)
  }
  /** Runs a bounded number of requests per endpoint at once. */
  const inTurn = async <T>(items: T[], work: (item: T) => Promise<void>) => {
    let next = 0
    const go = async () => {
      for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item)
    }
    await Promise.all(Array.from({ length: connectionsEach }, go))
  }
  const app = Fastify()
  const countOf = (url: string) => Number(new URL(url, 'http://x').searchParams.get('count'))
  app.post('/bare', async ({ url }) => {
    const all = await bodies(countOf(url))
    const began = performance.now()
    await Promise.all(pools.map((pool) => inTurn(all, (body) => post(pool, body))))
    return { seconds: (performance.now() - began) / 1000 }
  })
  app.post('/recording', async ({ url }) => {
    const all = new Map((await bodies(countOf(url))).map((body) => [body.id, body]))
    const began = performance.now()
    let done: [number, string][] = []
    const record = async (set: [number, string][]) => {
      await client.query({
        name: 'record',
        text: `update plain_deliveries d set status = 'succeeded', attempts = attempts + 1, attempted_at = now(), response_status = 200
          from unnest($1::int[], $2::uuid[]) r (endpoint, id) where d.endpoint = r.endpoint and d.id = r.id`,
        values: [set.map(([endpoint]) => endpoint), set.map(([, id]) => id)],
      })
    }
    const recording: Promise<void>[] = []
    await Promise.all(
      pools.map(async (pool, endpoint) => {
        const { rows } = await client.query({
          name: 'read',
          text: `select id::text from plain_deliveries where endpoint = $1 and status = 'pending'`,
          values: [endpoint],
        })
        await inTurn(rows as { id: string }[], async ({ id }) => {
          await post(pool, all.get(id) as Body)
          done.push([endpoint, id])
          if (done.length >= 1_000) recording.push(record(done.splice(0)))
        })
      }),
    )
    recording.push(record(done))
    done = []
    await Promise.all(recording)
    return { seconds: (performance.now() - began) / 1000 }
  })
  console.log(`listening ${await app.listen({ host: '127.0.0.1', port: 0 })}`)
  process.once('SIGTERM', () => process.exit())
}
