import Type, { type Static } from 'typebox'
import type { SystemSql, TenantScope, TenantSql, TenantTx } from '../../../platform/database.ts'
import { readCursorPage } from '../../../platform/http/pagination.ts'
import type { Actor } from '../../../platform/http/principal.ts'
import { Nullable } from '../../../platform/schemas.ts'
import { Fragment, type Sql, sql } from '../../../platform/sql.ts'
import { Erasure, type ErasureFilter } from '../schema.ts'

const columns = sql`id, organization_id, contact_id, state, error, requested_by_type, requested_by_id, counts,
  cardinality(file_keys) as files_count, array(select encode(digest, 'hex') from erased_addresses a
    where a.erasure_id = erasures.id order by digest) as address_digests,
  erased_at, completed_at, livemode, created_at`

/** No row if there is one for this contact. */
export const insertErasure = (tx: TenantTx, id: string, contactId: string, actor: Actor) =>
  tx.maybe(Erasure)`
    insert into erasures (id, contact_id, requested_by_type, requested_by_id)
    values (${id}, ${contactId}, ${actor.type}, ${actor.id})
    on conflict (organization_id, livemode, contact_id) do nothing returning ${columns}`

export const findErasure = (tx: TenantSql, id: string) =>
  tx.maybe(Erasure)`select ${columns} from erasures where id = ${id}`

export const findErasureOf = (tx: TenantSql, contactId: string) =>
  tx.maybe(Erasure)`select ${columns} from erasures where contact_id = ${contactId}`

const BeingErased = Type.Object({ is_being_erased: Type.Boolean() })

/** The caller has locked these contacts, as a request for an erasure does. */
export const isBeingErased = async (tx: TenantTx, contactIds: string[]): Promise<boolean> => {
  const { is_being_erased } = await tx.one(BeingErased)`
    select exists (
      select from erasures where contact_id = any(${contactIds}::uuid[]) and state <> 'completed') as is_being_erased`
  return is_being_erased
}

export const listErasures = (tx: TenantSql, filter: ErasureFilter) =>
  readCursorPage<Erasure>(tx, { columns, from: sql`erasures` }, filter)

const Progress = Type.Object({
  contact_id: Type.String(),
  state: Type.String(),
  erased_at: Nullable(Type.String()),
  file_keys: Type.Array(Type.String()),
})
export type Progress = Static<typeof Progress>

export const startErasure = (tx: TenantSql, id: string) =>
  tx.maybe(Progress)`
    update erasures set state = 'running', error = null where id = ${id} and state <> 'completed'
    returning contact_id, state, erased_at, file_keys`

/** In the transaction that deletes them, so that the proof is exact whatever happens to the worker. */
export const addCount = (tx: Sql, { organizationId, livemode }: TenantScope, id: string, table: string, rows: number) =>
  tx.run`
    update erasures set counts = counts
      || jsonb_build_object(${table}::text, coalesce((counts ->> ${table})::bigint, 0) + ${rows}::bigint)
    where organization_id = ${organizationId} and livemode = ${livemode} and id = ${id}`

/** Tables are named by code alone. */
const named = (table: string) => new Fragment([table], [])

export const deleteRows = (tx: TenantTx, table: string, rows: Fragment) =>
  tx.run`delete from ${named(table)} where ${rows}`

export const blankRows = (tx: TenantTx, table: string, rows: Fragment, values: Fragment) =>
  tx.run`update ${named(table)} set ${values} where ${rows}`

/** Remembers the files and schedules them for removal: they go even if this erasure never gets to it. */
export const takeFiles = (tx: TenantTx, id: string, table: string, rows: Fragment) =>
  tx.run`
    with found as (select file_key from ${named(table)} where ${rows} and file_key is not null), scheduled as (
      insert into removed_files (key) select file_key from found on conflict do nothing
    )
    update erasures set file_keys = file_keys || array(select file_key from found) where id = ${id}`

const Files = Type.Object({ file_keys: Type.Array(Type.String()) })

export const markErased = (tx: TenantTx, id: string, digests: Buffer[]) =>
  tx.one(Files)`
    with known as (
      insert into erased_addresses (digest, erasure_id) select digest, ${id} from unnest(${digests}::bytea[]) digest
      on conflict (organization_id, livemode, digest) do update set erased_at = now(), erasure_id = excluded.erasure_id
    )
    update erasures set erased_at = coalesce(erased_at, now()) where id = ${id} returning file_keys`

/**
 * The same for contacts that were merged into the erased one: a backup from before the merge has them as contacts of
 * their own, and `replayErasures` erases them by these rows.
 */
export const recordMergedErasures = (tx: TenantTx, id: string, contactIds: string[]) =>
  tx.run`
    insert into erasures (id, contact_id, state, requested_by_type, requested_by_id, erased_at, completed_at)
    select new_id(), merged.id, 'completed', requested_by_type, requested_by_id, now(), now()
    from erasures, unnest(${contactIds}::uuid[]) merged (id) where erasures.id = ${id}
    on conflict (organization_id, livemode, contact_id) do nothing`

export const completeErasure = (tx: TenantTx, id: string) =>
  tx.maybe(Erasure)`
    update erasures set state = 'completed', error = null, completed_at = now() where id = ${id} and state <> 'completed'
    returning ${columns}`

export const postponeErasure = (tx: TenantSql, id: string, error: string) =>
  tx.run`update erasures set state = 'queued', error = ${error} where id = ${id} and state <> 'completed'`

const ErasedAddress = Type.Object({ digest: Type.Unsafe<Buffer>({}), erased_at: Type.String() })

export const findErasedAddresses = (tx: TenantSql, digests: Buffer[]) =>
  tx.all(ErasedAddress)`select digest, erased_at from erased_addresses where digest = any(${digests}::bytea[])`

const Listed = Type.Object({
  organization_id: Type.String(),
  livemode: Type.Boolean(),
  id: Type.String(),
  contact_id: Type.String(),
  erased_at: Nullable(Type.String()),
  digests: Type.Array(Type.String()),
})
type Listed = Static<typeof Listed>

export const listAllErasures = (system: SystemSql) =>
  system.all(Listed)`
    select organization_id, livemode, id, contact_id, erased_at, array(select encode(digest, 'hex') from erased_addresses a
      where a.organization_id = e.organization_id and a.livemode = e.livemode and a.erasure_id = e.id) as digests
    from erasures e order by id`

/** Adds an erasure that another database has done, to be done here. */
export const adoptErasure = (system: SystemSql, { organization_id, livemode, id, contact_id, ...known }: Listed) =>
  system.run`
    with adopted as (
      insert into erasures (organization_id, livemode, id, contact_id, requested_by_type)
      select ${organization_id}::uuid, ${livemode}::boolean, ${id}::uuid, ${contact_id}::uuid, 'system'
      where exists (select from organizations where id = ${organization_id})
      on conflict do nothing returning id
    ), addresses as (
      insert into erased_addresses (organization_id, livemode, digest, erasure_id, erased_at)
      select ${organization_id}::uuid, ${livemode}::boolean, decode(digest, 'hex'), adopted.id, ${known.erased_at}::timestamptz
      from adopted, unnest(${known.digests}::text[]) digest where ${known.erased_at}::timestamptz is not null
      on conflict do nothing
    )
    select from adopted`

const Unfinished = Type.Object({ organization_id: Type.String(), livemode: Type.Boolean(), id: Type.String() })

/** Those whose job may be gone: not completed an hour after they were requested. */
export const listUnfinished = (system: SystemSql) =>
  system.all(Unfinished)`
    select organization_id, livemode, id from erasures
    where state <> 'completed' and created_at < now() - interval '1 hour'`
