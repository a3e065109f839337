import type pg from 'pg'
import { Pool } from 'undici'
import { createKey } from '../server/features/organizations/create-key.ts'
import { createOrganization } from '../server/features/organizations/create-organization.ts'
import { createDatabase } from '../server/platform/database.ts'
import {
  type BenchDatabase,
  benchDatabase,
  format,
  type Line,
  median,
  report,
  rounds,
  serveFrontdesk,
} from './harness.ts'

/**
 * Benchmark 3: every list and the dashboard, in an organization with a thousand rows of each kind and in one with a
 * million, while others hold ten million. The floor is the same request in the small organization.
 */

const small = 1_000
const large = Number(process.env.BENCH_LARGE ?? 1_000_000)
const others = Number(process.env.BENCH_OTHERS ?? 10_000_000)
const otherOrganizations = 100
const requestsPerRound = 40

const tables = ['contacts', 'contact_tags', 'activities', 'tasks', 'events']

const idAt = (n: string) =>
  `(overlay(lpad(to_hex(1767225600000 + ${n} * 20), 12, '0') placing '-' from 9 for 0) || '-7' || substr(md5(random()::text), 1, 3)
    || '-8' || substr(md5(random()::text), 1, 3) || '-' || substr(md5(random()::text), 1, 12))::uuid`

const insertContacts = `
  with added as (
    insert into contacts (organization_id, livemode, id, phone_number, name, tags, notes, custom_fields, stage, ai_handling,
      opted_out_at, last_activity_at, activity_counts)
    select $1::uuid, false, ${idAt('n')}, '+1415' || (10000000 + n), 'Person name ' || n,
      case when n % 5 = 0 then array['vip'] else array['newsletter'] end, 'Met at the fair', '{"plan": "gold"}',
      (array['new', 'engaged', 'qualified', 'customer', 'lost'])[1 + n % 5], n % 3 > 0,
      case when n % 50 = 0 then now() end, now(),
      case when n = 1 then jsonb_build_object('note_added', $2::integer / 2, 'call_logged', $2::integer - $2::integer / 2) else '{}' end
    from generate_series(1, $2::integer) n returning id)
  select id from added order by id limit 1`

const insertTags = `
  insert into contact_tags (organization_id, livemode, tag, contact_id)
  select organization_id, livemode, tag, id from contacts, unnest(tags) tag where organization_id = $1`

const insertActivities = `
  insert into activities (organization_id, livemode, id, contact_id, type, actor_type, payload)
  select $1::uuid, false, ${idAt('n')}, $3::uuid, case when n <= $2::integer / 2 then 'note_added' else 'call_logged' end, 'user',
    '{"note": "Asked for an offer"}'
  from generate_series(1, $2::integer) n`

const insertTasks = `
  insert into tasks (organization_id, livemode, id, contact_id, title, due_at, status, created_by_type)
  select $1::uuid, false, ${idAt('n')}, $3::uuid, 'Call back', now() + (n % 60 - 30) * interval '1 day' + n % 1440 * interval '1 minute',
    (array['pending', 'completed', 'cancelled'])[1 + n % 3], 'user'
  from generate_series(1, $2::integer) n`

const insertEvents = `
  insert into events (organization_id, livemode, id, type, data)
  select $1::uuid, false, ${idAt('n')}, case when n % 2 = 0 then 'contact.created' else 'contact.updated' end,
    '{"object": {"id": "x", "name": "Person"}}'
  from generate_series(1, $2::integer) n`

const countStatements = [
  `insert into contact_counts select organization_id, livemode, stage, ai_handling, opted_out_at is not null, 0, count(*)
   from contacts group by 1, 2, 3, 4, 5`,
  `insert into contact_tag_counts select organization_id, livemode, tag, 0, count(*) from contact_tags group by 1, 2, 3`,
  `insert into task_counts select organization_id, livemode, status, 0, count(*) from tasks group by 1, 2, 3`,
  `insert into pending_task_counts select organization_id, livemode, grain, date_trunc(grain, due_at, 'UTC'), 0, count(*)
   from tasks, unnest(array['month', 'day', 'hour']) grain where status = 'pending' and due_at is not null group by 1, 2, 3, 4`,
  `insert into event_counts select organization_id, livemode, type, 0, count(*) from events group by 1, 2, 3`,
]

const database = await benchDatabase({
  // Loading tens of millions of rows, not serving them, is what these are for.
  maintenance_work_mem: '1GB',
  max_wal_size: '8GB',
  max_parallel_maintenance_workers: '2',
})
const made = createDatabase({ connection: database.connection, poolSize: 2 })
const organizations = await made.inSystem(async (tx) => {
  const organization = async () => {
    const { organization } = await createOrganization(tx, { name: 'Bench' })
    const key = await createKey(tx, {
      organizationId: organization.id,
      name: 'b',
      mode: 'test',
      scopes: ['full_access'],
    })
    return { id: organization.id, key: key.secret, contact: '' }
  }
  const all = []
  for (let n = 0; n < otherOrganizations + 2; n++) all.push(await organization())
  return all
})
await made.close()
const [few, many, ...rest] = organizations as [Org, Org, ...Org[]]
await fillTables(database)

const server = await serveFrontdesk(database.connection)
const client = new Pool(server.url, { connections: 1, pipelining: 1 })
const lines: Line[] = []

const overdue = 'crm/tasks?overdue=true'
for (const path of [
  'contacts',
  'contacts?stage=qualified',
  'contacts?ai_handling=false',
  'contacts?opted_out=true',
  'contacts?tag=vip',
  'crm/tasks',
  'crm/tasks?status=completed',
  overdue,
  'events',
  'events?type=contact.created',
  'crm/dashboard',
])
  lines.push(await compare(path, () => path))
lines.push(await compare('timeline', ({ contact }) => `contacts/${contact}/activities`))
lines.push(await compare('timeline of one type', ({ contact }) => `contacts/${contact}/activities?type=note_added`))
for (const [what, search] of [
  ['a rare name', 'name 77123'],
  ['a common word', 'person'],
  ['part of a number', '555 0771'],
  ['nothing', 'zzzz'],
])
  lines.push(await within(`search: ${what}`, `contacts?search=${encodeURIComponent(search as string)}`, 250))
lines.push(await within('timeline at offset 100,000', `contacts/${many.contact}/activities?offset=100000`, 30))
report(
  `3 · growth: ${large.toLocaleString('en')} rows against ${small.toLocaleString('en')}, ${others.toLocaleString('en')} in other organizations`,
  lines,
)
await client.close()
await server.stop()
await database.close()

interface Org {
  id: string
  key: string
  contact: string
}

async function time({ key }: Org, path: string): Promise<number> {
  const started = performance.now()
  const { statusCode, body } = await client.request({
    path: `/api/v1/${path}`,
    method: 'GET',
    headers: { authorization: `Bearer ${key}` },
  })
  const text = await body.text()
  if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${text}`)
  return performance.now() - started
}

async function compare(what: string, path: (organization: Org) => string): Promise<Line> {
  const times = { few: [] as number[], many: [] as number[] }
  for (let n = 0; n < 20; n++) for (const organization of [few, many]) await time(organization, path(organization))
  for (let n = 0; n < rounds * requestsPerRound; n++) {
    times.few.push(await time(few, path(few)))
    times.many.push(await time(many, path(many)))
  }
  const ratio = median(times.many) / median(times.few)
  return {
    what,
    ours: `${format(median(times.many))} ms`,
    floor: `${format(median(times.few))} ms`,
    ratio: ratio.toFixed(2),
    goal: '≤ 1.5',
    met: ratio <= 1.5,
  }
}

async function within(what: string, path: string, goalMs: number): Promise<Line> {
  const times: number[] = []
  for (let n = 0; n < 3; n++) await time(many, path)
  for (let n = 0; n < rounds * 3; n++) times.push(await time(many, path))
  return {
    what,
    ours: `${format(median(times))} ms`,
    floor: '',
    ratio: '',
    goal: `≤ ${goalMs} ms`,
    met: median(times) <= goalMs,
  }
}

/** Loads without triggers and secondary indexes, then builds them and fills the counters, as a restore would. */
async function fillTables({ query }: BenchDatabase): Promise<void> {
  const started = performance.now()
  const indexes = await dropIndexes(query)
  await query('set session_replication_role = replica')
  const share = Math.ceil(others / otherOrganizations)
  for (const [organization, rows] of [[few, small], [many, large], ...rest.map((org) => [org, share])] as [
    Org,
    number,
  ][]) {
    const { rows: first } = await query(insertContacts, [organization.id, rows])
    organization.contact = first[0]?.id as string
    await query(insertTags, [organization.id])
    await query(insertActivities, [organization.id, rows, organization.contact])
    await query(insertTasks, [organization.id, rows, organization.contact])
    await query(insertEvents, [organization.id, rows])
  }
  await query('set session_replication_role = origin')
  for (const statement of [...indexes, ...countStatements]) await query(statement)
  await query('vacuum analyze')
  await query('checkpoint')
  console.log(`loaded in ${Math.round((performance.now() - started) / 1000)} s`)
}

async function dropIndexes(query: pg.Client['query']): Promise<string[]> {
  const { rows } = await query(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = any ($1::regclass[]) and not indisprimary`,
    [tables],
  )
  for (const { name } of rows) await query(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}
