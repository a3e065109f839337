import Type, { type Static } from 'typebox'
import type { SystemTx, TenantSql, TenantTx } from '../../../platform/database.ts'
import { Nullable } from '../../../platform/schemas.ts'
import { sql } from '../../../platform/sql.ts'
import { KnownTemplate } from '../facts.ts'
import { columns, knownColumns } from '../queries.ts'
import { Template } from '../schema.ts'

/** A live holder renews every few seconds; a claim expires after this long. */
const claimedFor = sql`interval '10 seconds'`

const Progress = { may_exist: Type.Boolean(), attempts: Type.Integer(), claimed_at: Type.String() }

/** A due template with the state that its registration needs. */
export const ClaimedTemplate = Type.Object({ ...Template.properties, ...Progress })
export type ClaimedTemplate = Static<typeof ClaimedTemplate>

const isFree = sql`(claimed_until is null or claimed_until < now())`

/** Nothing when it is registered, refused, deleted, not due, or claimed by another worker. */
export const claimForRegistration = (tx: TenantSql, id: string, claimId: string) =>
  tx.maybe(ClaimedTemplate)`
    update templates set claim_id = ${claimId}, claimed_until = now() + ${claimedFor}
    where id = ${id} and next_attempt_at <= now() + interval '1 second' and ${isFree}
    returning ${columns}, may_exist, attempts, now() as claimed_at`

const Deletable = Type.Object({ ...ClaimedTemplate.properties, claimed: Type.Boolean() })

/** Nothing when there is no such template; not claimed while another worker holds it. */
export const claimForDeletion = (tx: TenantSql, id: string, claimId: string) =>
  tx.maybe(Deletable)`
    with mine as (
      update templates set claim_id = ${claimId}, claimed_until = now() + ${claimedFor}
      where id = ${id} and ${isFree}
      returning ${columns}, may_exist, attempts
    )
    select ${columns}, may_exist, attempts, now() as claimed_at, true as claimed from mine
    union all
    select ${columns}, may_exist, attempts, now(), false from templates where id = ${id} and not exists (select from mine)`

export const renewClaim = (tx: TenantSql, id: string, claimId: string) =>
  tx.run`update templates set claimed_until = now() + ${claimedFor} where id = ${id} and claim_id = ${claimId}`

export const releaseClaim = (tx: TenantSql, id: string, claimId: string) =>
  tx.run`update templates set claim_id = null, claimed_until = null where id = ${id} and claim_id = ${claimId}`

const Asked = Type.Object({ at: Type.String() })

/** Recorded before the request: whatever happens then, we know that the platform may have the template. */
export const markAsked = (tx: TenantSql, id: string, claimId: string) =>
  tx.maybe(Asked)`
    update templates set may_exist = true, attempts = attempts + 1
    where id = ${id} and claim_id = ${claimId}
    returning now() as at`

/** Releases the claim in the transaction that records the outcome, so that the next attempt finds it free. */
export const endAttempt = (tx: TenantTx, id: string) =>
  tx.maybe(KnownTemplate)`
    update templates set claim_id = null, claimed_until = null where id = ${id} returning ${knownColumns}`

const Postponed = Type.Object({ ...Template.properties, seconds: Type.Number() })

/** Stores why it is not registered yet and when to retry: at once if something changed during the attempt. */
export const postpone = (
  tx: TenantTx,
  id: string,
  next: { registration: string; error: string; mayExist: boolean; seconds: number; claimedAt: string },
) =>
  tx.one(Postponed)`
    update templates set registration = ${next.registration}, registration_error = ${next.error},
      may_exist = ${next.mayExist}, woken_at = null,
      next_attempt_at = now() + case when woken_at >= ${next.claimedAt} then 0 else ${next.seconds}::float8 end * interval '1 second',
      updated_at = case when (registration, registration_error) is distinct from (${next.registration}, ${next.error})
        then now() else updated_at end
    where id = ${id}
    returning ${columns}, extract(epoch from next_attempt_at - now())::float8 as seconds`

/** The platform refuses it as it is: that is its verdict, and the name is free again. */
export const refuse = (tx: TenantTx, id: string, reason: string) =>
  tx.one(Template)`
    update templates set registration = 'refused', registration_error = null, may_exist = false, next_attempt_at = null,
      remote_template_id = null, status = 'REJECTED', status_at = now(), platform_status = null,
      rejected_reason = ${reason}, updated_at = now()
    where id = ${id}
    returning ${columns}`

const Due = Type.Object({ organization_id: Type.String(), livemode: Type.Boolean(), id: Type.String() })

/** Registrations whose job was lost: each gets a new one, and time to run. */
export const takeForgotten = (tx: SystemTx, most: number) =>
  tx.all(Due)`
    update templates set next_attempt_at = now()
    where (organization_id, livemode, id) in (
      select organization_id, livemode, id from templates
      where next_attempt_at < now() - interval '10 minutes' and ${isFree}
      order by next_attempt_at limit ${most} for update skip locked)
    returning organization_id, livemode, id`

/** The channel was changed: registrations that waited for that, or for a retry, run at once. */
export const takeWaiting = (
  tx: SystemTx,
  channel: { organizationId: string; livemode: boolean; id: string; businessAccountId: string | null },
) =>
  tx.all(Due)`
    update templates set next_attempt_at = now(), woken_at = now()
    where organization_id = ${channel.organizationId} and livemode = ${channel.livemode} and next_attempt_at is not null
      and (channel_id = ${channel.id} or business_account_id = ${channel.businessAccountId}::text)
    returning organization_id, livemode, id`

const Waiting = Type.Object({ id: Type.String() })

/**
 * The platform has answered for this account again: waiting registrations run at once. Those that may already exist
 * keep their schedule.
 */
export const wakeWaiting = (tx: TenantTx, businessAccountId: string) =>
  tx.all(Waiting)`
    update templates set next_attempt_at = now(), woken_at = now()
    where business_account_id = ${businessAccountId} and next_attempt_at is not null and registration <> 'uncertain'
    returning id`

const Hold = Type.Object({ seconds: Nullable(Type.Number()) })

/** How long to leave this business account alone. */
export const findHold = async (tx: TenantSql, businessAccountId: string): Promise<number> => {
  const hold = await tx.maybe(Hold)`
    select extract(epoch from held_until - now())::float8 as seconds from template_accounts
    where business_account_id = ${businessAccountId}`
  return Math.max(0, hold?.seconds ?? 0)
}

export const holdAccount = (tx: TenantTx, businessAccountId: string, seconds: number) =>
  tx.run`
    update template_accounts set held_until = now() + ${seconds} * interval '1 second'
    where business_account_id = ${businessAccountId}`

export const liftHold = (tx: TenantTx, businessAccountId: string) =>
  tx.run`
    update template_accounts set held_until = null
    where business_account_id = ${businessAccountId} and held_until is not null`
