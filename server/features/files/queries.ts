import Type from 'typebox'
import type { SystemSql, TenantSql } from '../../platform/database.ts'

const RemovedFile = Type.Object({ organization_id: Type.String(), livemode: Type.Boolean(), key: Type.String() })
export type RemovedFile = { organization_id: string; livemode: boolean; key: string }

/** Claims due files; those not deleted in time are due again. */
export const takeRemovedFiles = (system: SystemSql, limit: number) =>
  system.all(RemovedFile)`
    update removed_files set created_at = now() + interval '5 minutes'
    where (organization_id, livemode, key) in (
      select organization_id, livemode, key from removed_files
      where created_at <= now() order by created_at limit ${limit} for update skip locked)
    returning organization_id, livemode, key`

export const forgetRemovedFiles = (system: SystemSql, files: RemovedFile[]) =>
  system.run`
    delete from removed_files using unnest(${files.map((file) => file.organization_id)}::uuid[],
      ${files.map((file) => file.livemode)}::boolean[], ${files.map((file) => file.key)}::text[]) done (org, live, key)
    where organization_id = done.org and livemode = done.live and removed_files.key = done.key`

/** Schedules the file for removal in an hour, unless a row claims it first. */
export const announceFile = (tx: TenantSql, key: string) =>
  tx.run`insert into removed_files (key, created_at) values (${key}, now() + interval '1 hour')`

export const claimFile = (tx: TenantSql, key: string) => tx.run`delete from removed_files where key = ${key}`
