import Type, { type Static } from 'typebox'
import type { Database } from '../server/platform/database.ts'
import { sealedColumn } from '../server/platform/reseal.ts'
import type { SecretBox } from '../server/platform/secrets.ts'
import { sql } from '../server/platform/sql.ts'
import type { SimulatorRecord, SimulatorStore } from './store.ts'

const Row = Type.Object({
  kind: Type.String(),
  id: Type.String(),
  account: Type.String(),
  data: Type.Unsafe<unknown>({}),
  bytes: Type.Unsafe<Buffer | null>({}),
  sealed: Type.Unsafe<Buffer | null>({}),
  expires_at: Type.Unsafe<string | null>({}),
})

const Found = Type.Object({ found: Type.Boolean() })

const columns = sql`kind, id, account, data, bytes, sealed, expires_at`

const contextOf = ({ kind, id }: { kind: string; id: string }) => `simulator ${kind} ${id}`

export const sealedSimulatorRecords = sealedColumn({
  table: 'simulator_records',
  column: 'sealed',
  key: { kind: 'text', id: 'text' },
  context: contextOf,
})

/** For the simulator inside the service: all nodes and restarts share accounts, templates and media. */
export function createDatabaseStore(database: Database, secrets: SecretBox): SimulatorStore {
  const system = database.forSystem()
  const toRecord = (row: Static<typeof Row>): SimulatorRecord => ({
    kind: row.kind,
    id: row.id,
    account: row.account,
    data: row.data,
    ...(row.bytes && { bytes: row.bytes }),
    ...(row.sealed && { secret: secrets.open(row.sealed, contextOf(row)) }),
    ...(row.expires_at && { expiresAt: Date.parse(row.expires_at) }),
  })
  const valuesOf = (record: SimulatorRecord) => sql`
    ${record.kind}, ${record.id}, ${record.account}, ${JSON.stringify(record.data)}::jsonb, ${record.bytes ?? null},
    ${record.secret === undefined ? null : secrets.seal(record.secret, contextOf(record))},
    ${record.expiresAt === undefined ? null : new Date(record.expiresAt)}`
  const replaced = sql`account = excluded.account, data = excluded.data, bytes = excluded.bytes,
    sealed = excluded.sealed, expires_at = excluded.expires_at`
  const alive = sql`(expires_at is null or expires_at > now())`

  return {
    shared: true,
    async find(kind, id) {
      const row = await system.maybe(Row)`
        select ${columns} from simulator_records where kind = ${kind} and id = ${id} and ${alive}`
      return row && toRecord(row)
    },
    async list(kind, account) {
      const ofAccount = account === undefined ? sql`` : sql`and account = ${account}`
      const rows = await system.all(Row)`
        select kind, id, account, data, null::bytea as bytes, sealed, expires_at from simulator_records
        where kind = ${kind} ${ofAccount} and ${alive} order by id`
      return rows.map(toRecord)
    },
    async add(record) {
      const added = await system.run`
        insert into simulator_records as r (kind, id, account, data, bytes, sealed, expires_at)
        values (${valuesOf(record)})
        on conflict (kind, id) do update set ${replaced} where r.expires_at <= now()`
      return added === 1
    },
    async save(record) {
      await system.run`
        insert into simulator_records (kind, id, account, data, bytes, sealed, expires_at)
        values (${valuesOf(record)})
        on conflict (kind, id) do update set ${replaced}`
    },
    async remove(kind, id) {
      await system.run`delete from simulator_records where kind = ${kind} and id = ${id}`
    },
    async any(kind) {
      const { found } = await system.one(Found)`
        select exists (select from simulator_records where kind = ${kind}) as found`
      return found
    },
    async take(kind, limit) {
      const rows = await system.all(Row)`
        delete from simulator_records
        where (kind, id) in (
          select kind, id from simulator_records where kind = ${kind} order by id limit ${limit} for update skip locked)
        returning ${columns}`
      return rows.map(toRecord).sort((a, b) => (a.id < b.id ? -1 : 1))
    },
    async removeExpired() {
      await system.run`delete from simulator_records where expires_at <= now()`
    },
  }
}
