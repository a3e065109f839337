import Type, { type Static } from 'typebox'
import type { SystemSql, TenantSql, TenantTx } from '../../platform/database.ts'
import { Id, OneOf } from '../../platform/schemas.ts'
import type { Sql } from '../../platform/sql.ts'

const EarlyUpdate = Type.Object({
  id: Id,
  kind: OneOf(['status', 'reaction', 'edit', 'identity', 'echo', 'preference'] as const),
  data: Type.Unsafe<Record<string, unknown>>({ type: 'object' }),
  attempts: Type.Integer(),
})
export type EarlyUpdate = Static<typeof EarlyUpdate>

export const insertEarlyUpdates = (
  tx: TenantTx,
  rows: { id: string; kind: EarlyUpdate['kind']; data: object }[],
  delayMs: number,
) =>
  tx.run`
    insert into early_updates (id, kind, data, due_at)
    select id, kind, data, now() + ${delayMs} * interval '1 millisecond'
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ kind }) => kind)}::text[],
      ${rows.map(({ data }) => JSON.stringify(data))}::jsonb[]) r (id, kind, data)`

const DueTenant = Type.Object({ organization_id: Id, livemode: Type.Boolean() })

export const listTenantsWithDueUpdates = (sql: SystemSql) =>
  sql.all(DueTenant)`select distinct organization_id, livemode from early_updates where due_at <= now()`

export const claimEarlyUpdates = (tx: TenantTx, most: number) =>
  tx.all(EarlyUpdate)`
    select id, kind, data, attempts from early_updates where due_at <= now()
    order by due_at limit ${most} for update skip locked`

/** Waits while another worker has the update locked. No row if that worker has applied or postponed it. */
export const claimEarlyUpdate = (tx: TenantTx, id: string) =>
  tx.all(EarlyUpdate)`
    select id, kind, data, attempts from early_updates where id = ${id} and due_at <= now() for update`

const Due = Type.Object({ id: Id })

export const listDueUpdates = (sql: TenantSql, most: number) =>
  sql.all(Due)`select id from early_updates where due_at <= now() order by due_at limit ${most}`

const Failed = Type.Object({ attempts: Type.Integer() })

export const noteFailure = (tx: TenantTx, id: string, delayMs: number) =>
  tx.maybe(Failed)`
    update early_updates set attempts = attempts + 1, due_at = now() + ${delayMs} * interval '1 millisecond'
    where id = ${id} returning attempts`

export const deleteEarlyUpdates = (tx: TenantTx, ids: string[]) =>
  tx.run`delete from early_updates where id = any(${ids}::uuid[])`

export const postponeEarlyUpdates = (tx: TenantTx, rows: { id: string; attempts: number; delayMs: number }[]) =>
  tx.run`
    update early_updates set attempts = r.attempts, due_at = now() + r.delay_ms * interval '1 millisecond'
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ attempts }) => attempts)}::smallint[],
      ${rows.map(({ delayMs }) => delayMs)}::integer[]) r (id, attempts, delay_ms)
    where early_updates.id = r.id`

export const deleteEarlyUpdatesMentioning = (tx: Sql, patterns: string[]) =>
  tx.run`delete from early_updates where data::text ~ any (${patterns}::text[])`
