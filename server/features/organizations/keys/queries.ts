import Type from 'typebox'
import type { TenantSql, TenantTx } from '../../../platform/database.ts'
import { readCursorPage } from '../../../platform/http/pagination.ts'
import { sql } from '../../../platform/sql.ts'
import { Key, type KeyFilter } from '../schema.ts'

/** Which keys a caller may see: a test key sees test keys only. */
export type Modes = readonly ('test' | 'live')[]

const columns = sql`id, organization_id, name, mode, scopes, allowed_ips, prefix, last_four, expires_at, last_used_at, revoked_at,
  created_by, created_at`

export const listKeys = (tx: TenantSql, modes: Modes, filter: KeyFilter) =>
  readCursorPage<Key>(tx, { columns, from: sql`keys`, where: sql`mode = any(${[...modes]}::text[])` }, filter)

export const findKey = (tx: TenantSql, modes: Modes, id: string) =>
  tx.maybe(Key)`select ${columns} from keys where id = ${id} and mode = any(${[...modes]}::text[])`

const LockedKey = Type.Object({ ...Key.properties, has_ended: Type.Boolean() })

export const lockKey = (tx: TenantTx, modes: Modes, id: string) =>
  tx.maybe(LockedKey)`
    select ${columns}, coalesce(least(expires_at, revoked_at) <= now(), false) as has_ended
    from keys where id = ${id} and mode = any(${[...modes]}::text[]) for update`

/** The expiry may be in the future; a key that expires earlier keeps its expiry. Returns the number of keys. */
export const revokeKeyRow = (tx: TenantTx, modes: Modes, id: string, afterSeconds: number) =>
  tx.run`
    update keys set revoked_at = least(revoked_at, now() + make_interval(secs => ${afterSeconds}))
    where id = ${id} and mode = any(${[...modes]}::text[])`

export const updateKeyRow = (tx: TenantTx, id: string, { name, allowed_ips }: Pick<Key, 'name' | 'allowed_ips'>) =>
  tx.one(Key)`
    update keys set name = ${name}, allowed_ips = ${allowed_ips} where id = ${id} returning ${columns}`
