import Type from 'typebox'
import type { SystemSql, TenantSql, TenantTx } from '../../../platform/database.ts'
import type { Actor } from '../../../platform/http/principal.ts'
import { Nullable } from '../../../platform/schemas.ts'
import { Fragment, sql } from '../../../platform/sql.ts'
import { PersonExport } from '../schema.ts'

const columns = sql`id, organization_id, contact_id, state, error, requested_by_type, requested_by_id, size_bytes,
  case when file_key is not null then '/api/v1/privacy/exports/' || id || '/download' end as download_url, expires_at,
  completed_at, livemode, created_at`

export const insertExport = (tx: TenantTx, id: string, contactId: string, actor: Actor) =>
  tx.one(PersonExport)`
    insert into person_exports (id, contact_id, requested_by_type, requested_by_id)
    values (${id}, ${contactId}, ${actor.type}, ${actor.id}) returning ${columns}`

export const findExport = (tx: TenantSql, id: string) =>
  tx.maybe(PersonExport)`select ${columns} from person_exports where id = ${id} and expires_at > now()`

const Started = Type.Object({ contact_id: Type.String() })

/** None if it is done, or if the contact was deleted and the export with it. */
export const startExport = (tx: TenantSql, id: string) =>
  tx.maybe(Started)`
    update person_exports set state = 'running', error = null where id = ${id} and state <> 'completed'
    returning contact_id`

/** Schedules the file for removal in a day, unless the export is completed first. */
export const announceFile = (tx: TenantSql, key: string) =>
  tx.run`
    insert into removed_files (key, created_at) values (${key}, now() + interval '1 day')
    on conflict (organization_id, livemode, key) do update set created_at = excluded.created_at`

/** No row if the contact was erased meanwhile: the file stays scheduled for removal. */
export const completeExport = (tx: TenantTx, id: string, file: { key: string; size: number; sha256: string }) =>
  tx.run`
    with done as (
      update person_exports set state = 'completed', file_key = ${file.key}, size_bytes = ${file.size},
        sha256 = ${file.sha256}, completed_at = now(), expires_at = now() + interval '7 days'
      where id = ${id} returning id
    )
    delete from removed_files where key = ${file.key} and exists (select from done)`

export const postponeExport = (tx: TenantSql, id: string, error: string) =>
  tx.run`update person_exports set state = 'queued', error = ${error} where id = ${id} and state <> 'completed'`

const StoredFile = Type.Object({
  contact_id: Type.String(),
  state: Type.String(),
  file_key: Nullable(Type.String()),
  size_bytes: Nullable(Type.Integer()),
  sha256: Nullable(Type.String()),
})

export const findExportFile = (tx: TenantSql, id: string) =>
  tx.maybe(StoredFile)`
    select contact_id, state, file_key, size_bytes, sha256 from person_exports where id = ${id} and expires_at > now()`

/** The trigger on the table schedules their files for removal. */
export const deleteExpiredExports = (system: SystemSql) =>
  system.run`delete from person_exports where expires_at <= now()`

const ExportedRow = Type.Object({ id: Type.String(), row: Type.Unsafe<Record<string, unknown>>({ type: 'object' }) })

/** A page of the person's rows of a table. Tables are named by code alone. */
export const listRows = (
  tx: TenantSql,
  {
    table,
    columns: shown,
    rows,
    after,
    limit,
  }: { table: string; columns: Fragment; rows: Fragment; after: string; limit: number },
) =>
  tx.all(ExportedRow)`
    select id, to_jsonb(page) as row from (
      select ${shown} from ${new Fragment([table], [])} where ${rows} and id > ${after} order by id limit ${limit}) page`
