import type { TenantTx } from '../../platform/database.ts'

/** Removes what was said; the call log stays. */
export const stripOldTranscripts = (tx: TenantTx, oldestKept: string, limit: number) =>
  tx.run`
    update calls set transcript = '[]', summary = '', analysis = null, usage = usage - 'tools' - 'handoffReason',
      transfer = transfer || '{"briefing": null}', updated_at = now()
    where id = any(array(
      select id from calls where transcript <> '[]' and id < ${oldestKept} and status <> 'in-progress'
      order by id limit ${limit} for update skip locked))`

/** Detaches recordings and schedules their files for removal; the call log stays. */
export const detachOldRecordings = (tx: TenantTx, oldestKept: string, limit: number) =>
  tx.run`
    with old as (
      select id, file_key from calls where file_key is not null and id < ${oldestKept}
      order by id limit ${limit} for update skip locked
    ), removed as (
      insert into removed_files (key) select file_key from old on conflict do nothing
    )
    update calls set file_key = null, recording_size = null, recording_sha256 = null, updated_at = now()
    from old where calls.id = old.id`

export const deleteOldCalls = (tx: TenantTx, oldestKept: string, limit: number) =>
  tx.run`
    delete from calls where id = any(array(
      select id from calls where id < ${oldestKept} and status <> 'in-progress'
      order by id limit ${limit} for update skip locked))`
