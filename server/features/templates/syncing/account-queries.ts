import Type from 'typebox'
import type { SystemSql, SystemTx, TenantSql, TenantTx } from '../../../platform/database.ts'
import { KnownTemplate } from '../facts.ts'
import { columns, knownColumns } from '../queries.ts'
import { Template } from '../schema.ts'

/** An account that has or had a template is synced regularly. */
export const noteAccount = (tx: TenantTx, businessAccountId: string) =>
  tx.run`
    insert into template_accounts (business_account_id, next_sync_at)
    values (${businessAccountId}, now() + interval '15 minutes')
    on conflict do nothing`

/** A request is pending there whose answer may never come: sync soon. */
export const syncSoon = (tx: TenantTx, businessAccountId: string) =>
  tx.run`
    insert into template_accounts as a (business_account_id, next_sync_at)
    values (${businessAccountId}, now() + interval '1 minute')
    on conflict (organization_id, livemode, business_account_id) do update
    set next_sync_at = least(a.next_sync_at, excluded.next_sync_at)`

const Account = Type.Object({ business_account_id: Type.String() })

/** Accounts without a pending sync: one job each is enough, however many requests ask for it. */
export const queueSyncs = (tx: TenantTx, businessAccountIds: string[]) =>
  tx.all(Account)`
    insert into template_accounts as a (business_account_id, sync_queued)
    select account, true from unnest(${[...new Set(businessAccountIds)].sort()}::text[]) account
    on conflict (organization_id, livemode, business_account_id) do update set sync_queued = true
    where not a.sync_queued
    returning business_account_id`

/** A channel was connected or changed: its account is synced, and its hold is lifted. */
export const wakeAccount = (
  tx: SystemTx,
  account: { organizationId: string; livemode: boolean; businessAccountId: string },
) =>
  tx.run`
    insert into template_accounts (organization_id, livemode, business_account_id, sync_queued)
    values (${account.organizationId}, ${account.livemode}, ${account.businessAccountId}, true)
    on conflict (organization_id, livemode, business_account_id) do update
    set next_sync_at = now() + interval '15 minutes', held_until = null, sync_queued = true`

const Due = Type.Object({
  organization_id: Type.String(),
  livemode: Type.Boolean(),
  business_account_id: Type.String(),
})

/** Accounts due for a sync, the longest waiting first; their next syncs are spread over a minute. */
export const takeDueAccounts = (tx: SystemTx, most: number) =>
  tx.all(Due)`
    update template_accounts set next_sync_at = now() + interval '15 minutes' + random() * interval '1 minute'
    where (organization_id, livemode, business_account_id) in (
      select organization_id, livemode, business_account_id from template_accounts
      where next_sync_at <= now() order by next_sync_at limit ${most} for update skip locked)
    returning organization_id, livemode, business_account_id`

const Began = Type.Object({ at: Type.String() })

export const beginListing = (tx: TenantSql, businessAccountId: string) =>
  tx.one(Began)`
    insert into template_accounts (business_account_id) values (${businessAccountId})
    on conflict (organization_id, livemode, business_account_id) do update set sync_queued = false
    returning clock_timestamp() as at`

const Listed = Type.Object({ is_latest: Type.Boolean() })

/**
 * One listing of an account at a time is applied. The lock is not the account's row, which others lock after their
 * templates.
 */
export const lockListing = (tx: TenantTx, businessAccountId: string) =>
  tx.run`
    select pg_advisory_xact_lock(hashtextextended(
      concat_ws(' ', 'templates', current_organization(), current_livemode(), ${businessAccountId}::text), 0))`

/** False when a listing that began later was applied meanwhile. */
export const isLatestListing = async (tx: TenantTx, businessAccountId: string, beganAt: string): Promise<boolean> => {
  const listing = await tx.one(Listed)`
    select listed_at <= ${beganAt} as is_latest from template_accounts
    where business_account_id = ${businessAccountId}`
  return listing.is_latest
}

const Ended = Type.Object({ was_held: Type.Boolean() })

export const endListing = (tx: TenantTx, businessAccountId: string, beganAt: string) =>
  tx.one(Ended)`
    with before as (select held_until from template_accounts where business_account_id = ${businessAccountId})
    update template_accounts set listed_at = ${beganAt}, sync_error = null, held_until = null,
      next_sync_at = now() + interval '15 minutes' + random() * interval '1 minute'
    where business_account_id = ${businessAccountId}
    returning coalesce((select held_until > now() from before), false) as was_held`

/**
 * `hours` is null if no channel of the account is connected: the next channel that is connected starts a
 * sync.
 */
export const noteSyncFailure = (tx: TenantSql, businessAccountId: string, error: string, hours: number | null) =>
  tx.run`
    update template_accounts set sync_error = ${error}, next_sync_at = now() + ${hours}::float8 * interval '1 hour'
    where business_account_id = ${businessAccountId}`

const RemoteId = Type.Object({ id: Type.String(), remote_template_id: Type.String() })

/** The templates that the platform should list, as far as we know. */
export const listRegistered = (tx: TenantSql, businessAccountId: string) =>
  tx.all(RemoteId)`
    select id, remote_template_id from templates
    where business_account_id = ${businessAccountId} and registration = 'registered'
      and remote_template_id is not null`

export const lockTemplatesOf = (tx: TenantTx, businessAccountId: string) =>
  tx.all(KnownTemplate)`
    select ${knownColumns} from templates
    where business_account_id = ${businessAccountId} and registration <> 'refused'
    order by id for update`

const Deleted = Type.Object({ remote_template_id: Type.String() })

/** Deleted since the listing began, or so shortly before that the listing may still contain it. */
export const listDeletedSince = (tx: TenantTx, businessAccountId: string, beganAt: string) =>
  tx.all(Deleted)`
    select remote_template_id from deleted_templates
    where business_account_id = ${businessAccountId} and deleted_at > ${beganAt}::timestamptz - interval '5 minutes'`

/** A template registered while the listing ran is missing from it without being gone. */
export const removeGone = (tx: TenantTx, ids: string[], beganAt: string) =>
  tx.all(Template)`
    delete from templates
    where id = any (${ids}::uuid[]) and registration = 'registered' and registered_at <= ${beganAt}
    returning ${columns}`

export const forgetDeleted = (tx: SystemSql) =>
  tx.run`delete from deleted_templates where deleted_at < now() - interval '1 day'`
