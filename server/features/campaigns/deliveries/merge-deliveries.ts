import Type from 'typebox'
import type { TenantTx } from '../../../platform/database.ts'
import type { MergedPair } from '../../../platform/personal-data.ts'

/**
 * Moves the deliveries of a contact that is merged into another one. Of two deliveries of one campaign, the contact
 * keeps the one that arrived, else the one that was accepted first, else the one that may have been sent, else the one
 * that is still to be sent. The other one is linked to it and stays in the figures; if it was not sent yet, it is
 * skipped.
 */
export async function mergeDeliveries(tx: TenantTx, { from, into }: MergedPair): Promise<void> {
  const both = [from, into]
  await Promise.all([
    tx.run`select id from deliveries where contact_id = any(${both}::uuid[]) order by id for no key update`,
    tx.run`
      with ranked as (
        select id, first_value(id) over (partition by campaign_id order by case
            when status in ('delivered', 'read') then 0
            when accepted_at is not null and status <> 'failed' then 1
            when status = 'sending' and in_flight then 2
            when status = 'unknown' then 3
            when accepted_at is not null then 4
            when status in ('pending', 'sending') then 5
            else 6 end, accepted_at, id) as kept_id
        from deliveries where contact_id = any(${both}::uuid[])
      ), other as (
        select id, kept_id from ranked where id <> kept_id
      ), linked_before as (
        update deliveries d set duplicate_of = other.kept_id from other where d.duplicate_of = other.id
      )
      update deliveries d set duplicate_of = other.kept_id, contact_id = null, updated_at = now(),
        status = case when is_unsent then 'skipped' else d.status end,
        reason = case when is_unsent then 'merged' else d.reason end, code = case when is_unsent then null else d.code end,
        detail = case when is_unsent then 'The contact was merged with another recipient' else d.detail end,
        claimed_by = case when is_unsent then null else d.claimed_by end, next_attempt_at = null
      from (
        select other.*, d.status = 'pending' or d.status = 'sending' and not d.in_flight as is_unsent
        from other join deliveries d using (id)
      ) other
      where d.id = other.id`,
    tx.run`update deliveries set contact_id = ${into} where contact_id = ${from}`,
  ])
}

/** Chosen recipients of campaigns that have yet to freeze them. */
export const replaceInAudiences = (tx: TenantTx, { from, into }: MergedPair) =>
  tx.run`
    update campaigns set audience_contact_ids = array_replace(audience_contact_ids, ${from}::uuid, ${into}::uuid)
    where status in ('scheduled', 'sending', 'paused') and frozen_at is null and ${from} = any(audience_contact_ids)`

const Freezing = Type.Object({ is_freezing: Type.Boolean() })

/** Whether a campaign has frozen some of its recipients and not all. */
export async function isFreezing(tx: TenantTx): Promise<boolean> {
  const { is_freezing } = await tx.one(Freezing)`
    select exists (select from campaigns where status = 'sending' and frozen_at is null and frozen_through is not null
      and deleted_at is null) as is_freezing`
  return is_freezing
}
