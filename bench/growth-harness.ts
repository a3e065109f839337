import { Pool } from 'undici'
import { createKey } from '../server/features/organizations/create-key.ts'
import { createOrganization } from '../server/features/organizations/create-organization.ts'
import { createDatabase } from '../server/platform/create-database.ts'
import type { Database } from '../server/platform/database.ts'
import { embeddedTenantConnection } from '../server/platform/tenant-login.ts'
import { type BenchDatabase, benchDatabase, format, type Line, median, rounds, serveFrontdesk } from './harness.ts'

/** Benchmark 3: fills organizations of two sizes among many others, and times requests to them. */

const small = 1_000
const large = Number(process.env.BENCH_LARGE ?? 1_000_000)
const others = Number(process.env.BENCH_OTHERS ?? 10_000_000)
const otherOrganizations = 100
const requestsPerRound = 40

/** An id whose timestamp is `n` steps of 20 ms after the beginning of 2026. */
export const idAt = (n: string) =>
  `(overlay(lpad(to_hex(1767225600000 + ${n} * 20), 12, '0') placing '-' from 9 for 0) || '-7' || substr(md5(random()::text), 1, 3)
    || '-8' || substr(md5(random()::text), 1, 3) || '-' || substr(md5(random()::text), 1, 12))::uuid`

interface Org {
  id: string
  key: string
  /** Ids of rows for the paths under test. */
  names: Record<string, string>
}

interface Filling {
  tables: string[]
  /** Inserts this many rows of each kind. */
  rows(query: BenchDatabase['query'], organization: Org, count: number): Promise<void>
  /** Statements that fill the counters, which triggers would have kept. */
  counts: string[]
  /** What jobs would have done since. */
  finish?(database: Database): Promise<void>
}

export async function growth(filling: Filling) {
  const database = await benchDatabase({
    // Tuned for loading tens of millions of rows, not for serving them.
    maintenance_work_mem: '1GB',
    max_wal_size: '8GB',
    max_parallel_maintenance_workers: '2',
  })
  const [few, many, ...rest] = (await makeOrganizations(database)) as [Org, Org, ...Org[]]
  await fillTables(database, filling, [
    [few, small],
    [many, large],
    ...rest.map((org): [Org, number] => [org, Math.ceil(others / otherOrganizations)]),
  ])
  if (filling.finish) {
    const own = openDatabase(database)
    await filling.finish(own)
    await own.close()
    await database.query('vacuum analyze')
  }
  const server = await serveFrontdesk(database.connection)
  const client = new Pool(server.url, { connections: 1, pipelining: 1 })

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

  return {
    title: `${large.toLocaleString('en')} rows against ${small.toLocaleString('en')}, ${others.toLocaleString('en')} in other organizations`,
    many,

    /** Compares the large organization with the small one. */
    async compare(what: string, path: (organization: Org) => string = () => what): Promise<Line> {
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
    },

    async within(what: string, path: string, goalMs: number): Promise<Line> {
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
    },

    async close() {
      await client.close()
      await server.stop()
      await database.close()
    },
  }
}

const openDatabase = ({ connection }: BenchDatabase) =>
  createDatabase({ connection, tenantConnection: embeddedTenantConnection(connection), poolSize: 2 })

async function makeOrganizations(bench: BenchDatabase): Promise<Org[]> {
  const database = openDatabase(bench)
  const made = await database.inSystem(async (tx) => {
    const all: Org[] = []
    for (let n = 0; n < otherOrganizations + 2; n++) {
      const { organization } = await createOrganization(tx, { name: 'Bench' })
      const { secret } = await createKey(tx, {
        organizationId: organization.id,
        name: 'b',
        mode: 'test',
        scopes: ['full_access'],
      })
      all.push({ id: organization.id, key: secret, names: {} })
    }
    return all
  })
  await database.close()
  return made
}

/** Loads without triggers and secondary indexes, then builds the indexes and fills the counters, as a restore would. */
async function fillTables({ query }: BenchDatabase, filling: Filling, sizes: [Org, number][]): Promise<void> {
  const started = performance.now()
  const indexes = await dropIndexes(query, filling.tables)
  await query('set session_replication_role = replica')
  for (const [organization, count] of sizes) await filling.rows(query, organization, count)
  await query('set session_replication_role = origin')
  for (const statement of [...indexes, ...filling.counts]) await query(statement)
  await query('vacuum analyze')
  await query('checkpoint')
  console.log(`loaded in ${Math.round((performance.now() - started) / 1000)} s`)
}

async function dropIndexes(query: BenchDatabase['query'], tables: string[]): Promise<string[]> {
  const { rows } = await query(
    `select indexrelid::regclass::text as name,
       -- An index of a partitioned table is built on all its partitions.
       replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') as definition
     from pg_index
     where indrelid = any ($1::regclass[]) and not indisprimary`,
    [tables],
  )
  for (const { name } of rows) await query(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}
