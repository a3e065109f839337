import Type from 'typebox'
import type { SystemTx, TenantSql, TenantTx } from '../../../platform/database.ts'
import type { Actor } from '../../../platform/http/principal.ts'
import { Id, Nullable, OneOf } from '../../../platform/schemas.ts'
import { sql } from '../../../platform/sql.ts'
import type { ExportFilter } from '../lists/schema.ts'
import { type BulkChanges, BulkEdit } from './schema.ts'

const columns = sql`id, organization_id, filter, changes, state, total, processed, livemode, created_at, updated_at`

export const findBulkEdit = (tx: TenantSql, id: string) =>
  tx.maybe(BulkEdit)`select ${columns} from contact_bulk_edits where id = ${id}`

interface NewRow {
  id: string
  filter: ExportFilter
  changes: BulkChanges
  total: number
  /** The channels that an agent answers, if the filter depends on them. */
  answering: string[] | null
  actor: Actor
}

export const insertBulkEdit = (tx: TenantTx, { id, filter, changes, total, answering, actor }: NewRow) =>
  tx.one(BulkEdit)`
    insert into contact_bulk_edits (id, filter, changes, total, answering_channels, actor_type, actor_id)
    values (${id}, ${filter}, ${changes}, ${total}, ${answering}, ${actor.type}, ${actor.id})
    returning ${columns}`

const RunningEdit = Type.Object({
  id: Id,
  filter: Type.Unsafe<ExportFilter>({}),
  changes: Type.Unsafe<BulkChanges>({}),
  last_id: Id,
  answering_channels: Nullable(Type.Array(Id)),
  actor_type: OneOf(['user', 'ai', 'system'] as const),
  actor_id: Nullable(Id),
})

/** No row if it is done or cancelled. The lock keeps a second worker from doing the same batch. */
export const lockRunning = (tx: TenantTx, id: string) =>
  tx.maybe(RunningEdit)`
    select id, filter, changes, last_id, answering_channels, actor_type, actor_id from contact_bulk_edits
    where id = ${id} and state = 'running' for update`

export const recordProgress = (
  tx: TenantTx,
  id: string,
  { count, lastId, isOver }: { count: number; lastId: string; isOver: boolean },
) =>
  tx.one(BulkEdit)`
    update contact_bulk_edits set processed = processed + ${count}, last_id = ${lastId}, updated_at = now(),
      state = case when ${isOver} then 'completed' else state end
    where id = ${id} returning ${columns}`

export const deleteOldBulkEdits = (tx: SystemTx, oldestKept: string, batchSize: number) =>
  tx.run`
    delete from contact_bulk_edits where (organization_id, livemode, id) in (
      select organization_id, livemode, id from contact_bulk_edits
      where id < ${oldestKept} and state <> 'running' order by id limit ${batchSize})`

export const cancelRunning = (tx: TenantTx, id: string) =>
  tx.maybe(BulkEdit)`
    update contact_bulk_edits set state = 'cancelled', updated_at = now()
    where id = ${id} and state = 'running' returning ${columns}`
