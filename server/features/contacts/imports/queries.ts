import Type from 'typebox'
import type { SystemSql, TenantSql, TenantTx } from '../../../platform/database.ts'
import { readCursorPage } from '../../../platform/http/pagination.ts'
import { type Sql, sql } from '../../../platform/sql.ts'
import {
  Import,
  type ImportColumn,
  type ImportFilter,
  ImportReport,
  maxKeptErrors,
  type RenamedColumns,
  type RowError,
} from './schema.ts'

const columns = sql`id, organization_id, state, dry_run, on_conflict, default_country, file_name, encoding, error, livemode, created_at,
  completed_at, jsonb_build_object('rows', rows, 'created', created, 'updated', updated, 'skipped', skipped,
    'invalid', invalid) as counts,
  case when state = 'completed' then 1 else read_bytes / greatest(total_bytes, 1)::float8 end as progress`

export const insertChunk = (tx: TenantSql, importId: string, number: number, bytes: Buffer) =>
  tx.run`insert into contact_import_chunks (import_id, number, bytes) values (${importId}, ${number}, ${bytes})`

/** Removes an upload that never became an import; the chunks of an import are left alone. */
export const discardUpload = (tx: TenantSql, importId: string) =>
  tx.run`
    delete from contact_import_chunks where import_id = ${importId}
      and not exists (select from contact_imports where id = ${importId})`

export const discardAbandonedUploads = (tx: SystemSql) =>
  tx.run`
    delete from contact_import_chunks c where created_at < now() - interval '1 hour' and not exists (
      select from contact_imports i
      where i.organization_id = c.organization_id and i.livemode = c.livemode and i.id = c.import_id)`

export const insertImport = (
  tx: TenantTx,
  made: Pick<Import, 'id' | 'file_name' | 'dry_run' | 'on_conflict' | 'default_country'> & {
    encoding: string
    totalBytes: number
    renamedColumns: RenamedColumns
  },
) =>
  tx.one(Import)`
    insert into contact_imports (id, file_name, dry_run, on_conflict, default_country, encoding, total_bytes,
      renamed_columns)
    values (${made.id}, ${made.file_name}, ${made.dry_run}, ${made.on_conflict}, ${made.default_country}, ${made.encoding},
      ${made.totalBytes}, ${made.renamedColumns})
    returning ${columns}`

export const findImport = (tx: TenantSql, id: string) =>
  tx.maybe(ImportReport)`
    select ${columns}, columns, greatest(invalid - ${maxKeptErrors}, 0) as errors_omitted,
      (select coalesce(jsonb_agg(jsonb_build_object('row', row, 'column', column_name, 'message', message) order by row),
        '[]') from contact_import_errors where import_id = ${id}) as errors
    from contact_imports where id = ${id}`

export const listImports = (tx: TenantSql, filter: ImportFilter) =>
  readCursorPage<Import>(tx, { columns, from: sql`contact_imports` }, filter)

const StartedImport = Type.Object({
  dry_run: Type.Boolean(),
  on_conflict: Type.Union([Type.Literal('skip'), Type.Literal('update')]),
  default_country: Import.properties.default_country,
  encoding: Type.String(),
  renamed_columns: Type.Unsafe<RenamedColumns>({}),
  rows: Type.Integer(),
  invalid: Type.Integer(),
  attempts: Type.Integer(),
})

/** Claims an import that has not ended; undefined when there is nothing left to do. */
export const startImport = (tx: TenantTx, id: string) =>
  tx.maybe(StartedImport)`
    update contact_imports set state = 'running', attempts = attempts + 1, updated_at = now()
    where id = ${id} and state in ('queued', 'running')
    returning dry_run, on_conflict, default_country, encoding, renamed_columns, rows, invalid, attempts`

const Chunk = Type.Object({ bytes: Type.Unsafe<Buffer>({}) })

export const readChunk = (tx: TenantSql, importId: string, number: number) =>
  tx.maybe(Chunk)`select bytes from contact_import_chunks where import_id = ${importId} and number = ${number}`

/** As a JSON string: an array would become a PostgreSQL array. */
export const keepColumns = (tx: TenantTx, id: string, columns: ImportColumn[]) =>
  tx.run`update contact_imports set columns = ${JSON.stringify(columns)}::jsonb where id = ${id}`

/** Counts rows as done. Updates nothing when another worker has done them meanwhile. */
export const advanceImport = (
  tx: TenantTx,
  id: string,
  done: Import['counts'] & { behind: number; readBytes: number },
) =>
  tx.run`
    update contact_imports set rows = rows + ${done.rows}, created = created + ${done.created},
      updated = updated + ${done.updated}, skipped = skipped + ${done.skipped}, invalid = invalid + ${done.invalid},
      read_bytes = ${done.readBytes}, attempts = 0, updated_at = now()
    where id = ${id} and state = 'running' and rows = ${done.behind}`

export const insertErrors = (tx: TenantTx, importId: string, errors: RowError[]) =>
  tx.run`
    insert into contact_import_errors (import_id, row, column_name, message)
    select ${importId}, row, column_name, message
    from unnest(${errors.map(({ row }) => row)}::integer[], ${errors.map(({ column }) => column)}::text[],
      ${errors.map(({ message }) => message)}::text[]) e (row, column_name, message)`

/** Numbers are found as they are written, and without what stands between their digits. */
export const deleteErrorsMentioning = (tx: Sql, patterns: string[]) =>
  tx.run`
    delete from contact_import_errors
    where message ~ any (${patterns}::text[])
      or regexp_replace(message, '(?<=[0-9])[\\s().+/-]+(?=[0-9])', '', 'g') ~ any (${patterns}::text[])`

/** Ending an import deletes its file. */
export const endImport = (tx: TenantTx, id: string, error: string | null) =>
  Promise.all([
    tx.run`
      update contact_imports set state = ${error === null ? 'completed' : 'failed'}, error = ${error},
        completed_at = now(), updated_at = now()
      where id = ${id} and state = 'running'`,
    tx.run`delete from contact_import_chunks where import_id = ${id}`,
    tx.run`delete from contact_import_phones where import_id = ${id}`,
  ])

const Phone = Type.Object({ phone_number: Type.String() })

export const findTakenPhones = (tx: TenantTx, phones: string[]) =>
  tx.all(Phone)`
    select value as phone_number from contact_identities
    where kind = 'phone' and value = any(${phones}) and until is null`

/** Records the numbers that a dry run meets, and returns those that are new. */
export const rememberPhones = (tx: TenantTx, importId: string, phones: string[]) =>
  tx.all(Phone)`
    insert into contact_import_phones (import_id, phone_number)
    select ${importId}, phone from unnest(${phones}::text[]) phone order by phone
    on conflict do nothing returning phone_number`
