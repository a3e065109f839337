import type { SystemSql } from '../../platform/database.ts'

/** Puts webhooks of suspended organizations back into the queue; those that are still suspended are held again. */
export const releaseHeldHooks = (sql: SystemSql) =>
  sql.run`
    with released as (delete from kept_hooks where outcome = 'held' returning *)
    insert into incoming_hooks (id, hook_organization_id, hook_livemode, hook_app_hash, body, received_at, attempts)
    select id, hook_organization_id, hook_livemode, hook_app_hash, body, received_at, attempts from released`
