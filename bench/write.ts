import Fastify from 'fastify'
import pg from 'pg'
import { Contact } from '../server/features/contacts/schema.ts'
import { newId } from '../server/platform/ids.ts'
import '../server/platform/postgres-types.ts'
import { reportBudget } from './budget.ts'
import { fill } from './fill.ts'
import {
  atMostLine,
  benchDatabase,
  type Load,
  load,
  ratioLine,
  report,
  rounds,
  seconds,
  serve,
  serveFrontdesk,
} from './harness.ts'
import { plotThroughput } from './sweep.ts'

/**
 * Benchmark 2: POST /contacts, which writes a contact, its activity and its event in one transaction. Two floors: the
 * same three rows into the same tables, and into copies of them without our counters, policies and search index.
 */

if (process.argv[2] === 'floor') await floor(process.argv[3] as string)
else if (process.argv[2] === '--profile') await profile()
else await bench()

function requestBy(secret: string): (url: string) => Load {
  return (url) => ({
    url: `${url}/api/v1/contacts`,
    connections: 32,
    method: 'POST',
    headers: { authorization: `Bearer ${secret}` },
    body: JSON.stringify({ phone_number: '+49{n}', name: 'Person {n}', custom_fields: { plan: 'gold' } }),
  })
}

async function profile() {
  const database = await benchDatabase()
  const { secret } = await fill(database.connection, 1_000)
  await database.query('vacuum analyze')
  await reportBudget('2 · write: what an answer costs', database, requestBy(secret))
  await database.close()
}

async function bench() {
  const database = await benchDatabase()
  const { organizationId, secret } = await fill(database.connection, 1_000)
  await database.query(`
    create table plain_contacts (like contacts including defaults including generated, primary key (organization_id, livemode, id));
    alter table plain_contacts alter search_text set default '';
    create unique index on plain_contacts (organization_id, livemode, phone_number);
    create table plain_activities (like activities including defaults, primary key (organization_id, livemode, id),
      foreign key (organization_id, livemode, contact_id) references plain_contacts);
    create index on plain_activities (organization_id, livemode, contact_id, id desc);
    create table plain_events (like events including defaults including generated, primary key (organization_id, livemode, id));
    insert into plain_contacts (organization_id, livemode, id, phone_number, name)
    select organization_id, livemode, id, phone_number, name from contacts`)
  await database.query('vacuum analyze')
  const env = {
    BENCH_CONNECTION: JSON.stringify(database.connection),
    BENCH_ORGANIZATION: organizationId,
    BENCH_KEY: secret,
  }
  const ours = await serveFrontdesk(database.connection)
  const same = await serve(import.meta.filename, ['floor', ''], env)
  const plain = await serve(import.meta.filename, ['floor', 'plain_'], env)
  const request = requestBy(secret)
  const results = [ours, same, plain].map((server) => ({ server, rate: [] as number[], p99: [] as number[] }))
  for (const { server } of results) await load({ ...request(server.url), seconds: 2 })
  for (let round = 0; round < rounds; round++) {
    for (const { server, rate, p99 } of results) {
      const result = await load({ ...request(server.url), seconds })
      if (result.errors > 0) throw new Error(`${result.errors} requests failed: ${result.statuses}`)
      rate.push(result.requestsPerSecond)
      p99.push(result.p99)
    }
  }
  const [a, b, c] = results as [(typeof results)[0], (typeof results)[0], (typeof results)[0]]
  const names = ['Frontdesk', 'floor, same tables', 'floor, plain tables']
  const description = 'POST /contacts: throughput by connections'
  const svg = await plotThroughput(
    description,
    results.map(({ server }, i) => ({ name: names[i] as string, request: request(server.url) })),
  )
  const lines = [
    ratioLine('requests, floor into the same tables', a.rate, b.rate, '/s', 0.7),
    // Not a floor of the contract, which demands exact totals and search: it shows what maintaining them costs per
    // write.
    {
      ...ratioLine('requests, into tables without counters, policies and search', a.rate, c.rate, '/s', 0),
      goal: 'none',
    },
    atMostLine('p99, floor into the same tables', a.p99, b.p99, 'ms', 2),
  ]
  report('2 · write: POST /contacts (contact + activity + event in one transaction), 32 connections', lines, {
    file: 'write.svg',
    description,
    svg,
  })
  await Promise.all(results.map(({ server }) => server.stop()))
  await database.close()
}

/** The least code that stores the same three rows: no validation, no scopes, one statement. */
async function floor(prefix: string) {
  const pool = new pg.Pool({
    ...JSON.parse(process.env.BENCH_CONNECTION as string),
    max: 10,
    options: '-c timezone=UTC',
  })
  const keys = new Map([[`Bearer ${process.env.BENCH_KEY}`, process.env.BENCH_ORGANIZATION]])
  const columns = Object.keys(Contact.properties).join()
  const text = `
    with created as (
      insert into ${prefix}contacts (organization_id, livemode, id, phone_number, name, custom_fields, last_activity_at, activity_counts)
      values ($1, false, $2, $3, $4, $5, now(), '{"contact_created": 1}') returning ${columns}
    ), activity as (
      insert into ${prefix}activities (organization_id, livemode, id, contact_id, type, actor_type)
      select $1, false, $6, id, 'contact_created', 'user' from created
    ), event as (
      insert into ${prefix}events (organization_id, livemode, id, type, data)
      select $1, false, $7, 'contact.created', jsonb_build_object('object', to_jsonb(created)) from created
    )
    select ${columns} from created`
  const app = Fastify()
  app.post('/api/v1/contacts', { schema: { response: { 201: Contact } } }, async (request, reply) => {
    const organization = keys.get(request.headers.authorization ?? '')
    if (!organization) return reply.code(401 as never).send()
    const { phone_number, name = '', custom_fields = {} } = request.body as Record<string, never>
    const values = [organization, newId(), phone_number, name, custom_fields, newId(), newId()]
    const { rows } = await pool.query({ name: 'create', text, values })
    return reply.code(201).send(rows[0])
  })
  console.log(`listening ${await app.listen({ host: '127.0.0.1', port: 0 })}`)
  process.once('SIGTERM', () => process.exit())
}
