import Fastify from 'fastify'
import pg from 'pg'
import { ContactPage } from '../server/features/contacts/lists/schema.ts'
import { Contact } from '../server/features/contacts/schema.ts'
import '../server/platform/postgres-types.ts'
import { reportBudget } from './budget.ts'
import { fill } from './fill.ts'
import {
  atMostLine,
  benchDatabase,
  load,
  ratioLine,
  report,
  rounds,
  seconds,
  serve,
  serveFrontdesk,
} from './harness.ts'
import { plotThroughput } from './sweep.ts'

/** Benchmark 1: GET /contacts, twenty rows with cursor and total, by API key, 32 connections. */

if (process.argv[2] === 'floor') await floor()
else if (process.argv[2] === '--profile') await profile()
else await bench()

async function filled() {
  const database = await benchDatabase()
  const { organizationId, secret } = await fill(database.connection, 1_000)
  await database.query('vacuum analyze')
  const request = (url: string) => ({
    url: `${url}/api/v1/contacts`,
    connections: 32,
    headers: { authorization: `Bearer ${secret}` },
  })
  return { database, organizationId, secret, request }
}

async function profile() {
  const { database, request } = await filled()
  await reportBudget('1 · read: what an answer costs', database, request)
  await database.close()
}

async function bench() {
  const { database, organizationId, secret, request } = await filled()
  const env = {
    BENCH_CONNECTION: JSON.stringify(database.connection),
    BENCH_ORGANIZATION: organizationId,
    BENCH_KEY: secret,
  }
  const ours = await serveFrontdesk(database.connection)
  const bare = await serve(import.meta.filename, ['floor'], env)
  const same = await Promise.all(
    [ours, bare].map(async ({ url }) => (await fetch(request(url).url, request(url))).text()),
  )
  if (same[0] !== same[1]) throw new Error(`the floor does not answer the same bytes:\n${same[0]}\n${same[1]}`)

  const results = { ours: [] as number[], floor: [] as number[], oursP99: [] as number[], floorP99: [] as number[] }
  for (const { url } of [ours, bare]) await load({ ...request(url), seconds: 2 })
  for (let round = 0; round < rounds; round++) {
    const a = await load({ ...request(ours.url), seconds })
    const b = await load({ ...request(bare.url), seconds })
    if (a.errors + b.errors > 0) throw new Error('some requests failed')
    results.ours.push(a.requestsPerSecond)
    results.floor.push(b.requestsPerSecond)
    results.oursP99.push(a.p99)
    results.floorP99.push(b.p99)
  }
  const description = 'GET /contacts, 20 rows with total: throughput by connections'
  const svg = await plotThroughput(description, [
    { name: 'Frontdesk', request: request(ours.url) },
    { name: 'floor', request: request(bare.url) },
  ])
  report(
    '1 · read: GET /contacts, 20 rows with total, 32 connections',
    [
      ratioLine('requests', results.ours, results.floor, '/s', 0.75),
      atMostLine('p99', results.oursP99, results.floorP99, 'ms', 2),
    ],
    { file: 'read.svg', description, svg },
  )
  await Promise.all([ours.stop(), bare.stop()])
  await database.close()
}

/** The least code for the same response: key in memory, one named statement, total from a counter row. */
async function floor() {
  const pool = new pg.Pool({
    ...JSON.parse(process.env.BENCH_CONNECTION as string),
    max: 10,
    options: '-c timezone=UTC',
  })
  const organizationId = process.env.BENCH_ORGANIZATION
  const keys = new Map([[`Bearer ${process.env.BENCH_KEY}`, organizationId]])
  await pool.query('create table if not exists floor_counts (organization_id uuid primary key, n bigint)')
  await pool.query(
    'insert into floor_counts select $1, count(*) from contacts where organization_id = $1 on conflict do nothing',
    [organizationId],
  )
  const text = `
    select ${Object.keys(Contact.properties)},
      (select n from floor_counts where organization_id = $1) as total_count
    from contacts where organization_id = $1 and livemode = false and id < $2 order by id desc limit $3`
  const app = Fastify()
  app.get('/api/v1/contacts', { schema: { response: { 200: ContactPage } } }, async (request, reply) => {
    const organization = keys.get(request.headers.authorization ?? '')
    if (!organization) return reply.code(401 as never).send()
    const { limit = 20, starting_after = 'ffffffff-ffff-ffff-ffff-ffffffffffff' } = request.query as never
    const { rows } = await pool.query({ name: 'page', text, values: [organization, starting_after, limit + 1] })
    const data = rows.slice(0, limit)
    return {
      data,
      has_more: rows.length > limit,
      next_cursor: data.at(-1)?.id ?? null,
      total_count: rows[0].total_count,
    }
  })
  console.log(`listening ${await app.listen({ host: '127.0.0.1', port: 0 })}`)
  process.once('SIGTERM', () => process.exit())
}
