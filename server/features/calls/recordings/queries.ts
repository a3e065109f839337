import Type from 'typebox'
import type { SystemSql, TenantSql } from '../../../platform/database.ts'
import type { StoredRecording } from '../ending/ending.ts'

const Ended = Type.Object({ is_running: Type.Boolean(), has_recording: Type.Boolean() })

/**
 * Whether a local recording file still has to be uploaded: `has_none` if the ended call has no recording yet, `done` if
 * it has one, had one that was deleted, or is deleted itself.
 */
export async function findEnded(tx: TenantSql, id: string): Promise<'running' | 'has_none' | 'done'> {
  const call = await tx.maybe(Ended)`
    select status = 'in-progress' as is_running, recording_size is not null as has_recording from calls where id = ${id}`
  if (!call) return 'done'
  if (call.is_running) return 'running'
  return call.has_recording ? 'done' : 'has_none'
}

export const attachRecording = (tx: TenantSql, id: string, { key, size, sha256 }: StoredRecording) =>
  tx.run`
    update calls set file_key = ${key}, recording_size = ${size}, recording_sha256 = ${sha256}, updated_at = now()
    where id = ${id} and file_key is null`

/** Detaches recordings past their retention period and schedules their files for removal, in one statement. */
export const expireRecordings = (system: SystemSql, days: number, limit: number) =>
  system.run`
    with old as (
      select organization_id, livemode, id, file_key from calls
      where file_key is not null and ended_at < now() - make_interval(days => ${days})
      order by ended_at limit ${limit} for update skip locked
    ), removed as (
      insert into removed_files (organization_id, livemode, key)
      select organization_id, livemode, file_key from old on conflict do nothing
    )
    update calls set file_key = null, recording_size = null, recording_sha256 = null, updated_at = now()
    from old where calls.organization_id = old.organization_id and calls.livemode = old.livemode and calls.id = old.id`
