import Type from 'typebox'
import type { SystemSql, SystemTx } from '../../../platform/database.ts'
import { Id, Instant, Nullable } from '../../../platform/schemas.ts'
import { type Fragment, sql } from '../../../platform/sql.ts'

/** Whether a person has a second factor. */
export const hasSecondFactor = (userId: Fragment): Fragment => sql`
  (exists (select from authenticators a where a.user_id = ${userId} and a.confirmed_at is not null)
    or exists (select from passkeys p where p.user_id = ${userId}))`

const Bytes = Type.Unsafe<Buffer>({})
const Authenticator = Type.Object({
  sealed_secret: Bytes,
  last_step: Type.Integer(),
  confirmed_at: Nullable(Instant),
  /** The time of the database, which all nodes share, in ms since 1970. */
  time: Type.Number(),
})

export const findAuthenticator = (tx: SystemSql, userId: string) =>
  tx.maybe(Authenticator)`
    select sealed_secret, last_step, confirmed_at, extract(epoch from now())::float8 * 1000 as time from authenticators where user_id = ${userId}`

/** Replaces one that was never confirmed; returns no row if there is a confirmed one. */
export const keepNewAuthenticator = (tx: SystemTx, userId: string, sealedSecret: Buffer) =>
  tx.run`
    insert into authenticators as a (user_id, sealed_secret) values (${userId}, ${sealedSecret})
    on conflict (user_id) do update set sealed_secret = excluded.sealed_secret, created_at = now()
    where a.confirmed_at is null`

/** Only if the secret is still the one that the code was checked with. */
export const confirmAuthenticator = (tx: SystemTx, userId: string, sealedSecret: Buffer, step: number) =>
  tx.run`
    update authenticators set confirmed_at = now(), last_step = ${step}
    where user_id = ${userId} and sealed_secret = ${sealedSecret} and confirmed_at is null`

/** One statement, so that of two concurrent requests with the same code only one succeeds. */
export const takeStep = (tx: SystemTx, userId: string, step: number) =>
  tx.run`
    update authenticators set last_step = ${step}
    where user_id = ${userId} and last_step < ${step} and confirmed_at is not null`

export const deleteAuthenticator = (tx: SystemTx, userId: string) =>
  tx.run`delete from authenticators where user_id = ${userId}`

const Count = Type.Object({ n: Type.Integer() })

export const countRecoveryCodes = (tx: SystemSql, userId: string) =>
  tx.one(Count)`select count(*)::integer as n from recovery_codes where user_id = ${userId} and used_at is null`

export const deleteRecoveryCodes = (tx: SystemTx, userId: string) =>
  tx.run`delete from recovery_codes where user_id = ${userId}`

/** Recovery codes of a person without a second factor would be of no use. */
export const dropUnneededRecoveryCodes = (tx: SystemTx, userId: string) =>
  tx.run`delete from recovery_codes where user_id = ${userId} and not ${hasSecondFactor(sql`recovery_codes.user_id`)}`

export const deletePasskeys = (tx: SystemTx, userId: string) => tx.run`delete from passkeys where user_id = ${userId}`

/** Into the audit log of each organization of the person. */
export const insertCodesReplaced = (tx: SystemTx, userId: string) =>
  tx.run`select audit_account(${userId}::uuid, 'recovery_code.replaced', null, ${userId}::uuid)`

export const insertRecoveryCodes = (tx: SystemTx, userId: string, digests: Buffer[]) =>
  tx.run`
    insert into recovery_codes (user_id, code_digest) select ${userId}, digest from unnest(${digests}::bytea[]) digest`

const Unused = Type.Object({ user_id: Id })

export const findRecoveryCode = (tx: SystemSql, userId: string, digest: Buffer) =>
  tx.maybe(Unused)`
    select user_id from recovery_codes where user_id = ${userId} and code_digest = ${digest} and used_at is null`

export const takeRecoveryCode = (tx: SystemTx, userId: string, digest: Buffer) =>
  tx.run`
    update recovery_codes set used_at = now()
    where user_id = ${userId} and code_digest = ${digest} and used_at is null`

const Asked = Type.Object({ has_factor: Type.Boolean() })

export const findSecondFactor = (tx: SystemSql, userId: string) =>
  tx.one(Asked)`select ${hasSecondFactor(sql`${userId}::uuid`)} as has_factor`

const Known = Type.Object({ user_id: Id })

export const findKnownDevice = (tx: SystemSql, userId: string, tokenHash: Buffer) =>
  tx.maybe(Known)`select user_id from known_devices where user_id = ${userId} and token_hash = ${tokenHash}`
