import Type from 'typebox'
import type { TenantTx } from '../../../platform/database.ts'
import { Id } from '../../../platform/schemas.ts'

const Found = Type.Object({ id: Id })

/** Locks those of these campaigns that are sending: only they can be paused. */
export const lockSending = (tx: TenantTx, ids: string[]) =>
  tx.all(Found)`
    select id from campaigns where id = any(${ids}::uuid[]) and status = 'sending' order by id for no key update`

/**
 * How many send numbers before and after these failures are read. More than the 100 that are judged, because unknown
 * outcomes in between do not count.
 */
const reach = 500

/**
 * Campaigns with at least `most` failures among `of` consecutive sends whose outcome is known, near these deliveries.
 * Reads only failed and unknown deliveries from their index, so the cost depends on how many failed and not on how many
 * were sent.
 */
export const findFailing = (tx: TenantTx, deliveryIds: string[], { most, of }: { most: number; of: number }) =>
  tx.all(Found)`
    select k.id from (
        select campaign_id, min(send_no) as first, max(send_no) as last
        from deliveries where id = any(${deliveryIds}::uuid[]) group by campaign_id
      ) failed
      join campaigns k on k.id = failed.campaign_id
    where exists (
      select from (
        select position - lag(position, ${most - 1}::integer) over (order by position) as distance from (
          -- Its position among the sends whose outcome is known.
          select d.status, d.send_no - count(*) filter (where d.status = 'unknown') over (order by d.send_no) as position
          from deliveries d
          where d.campaign_id = k.id and d.status in ('failed', 'unknown')
            and d.send_no between failed.first - ${reach}::integer and failed.last + ${reach}::integer
            and (k.judged_since is null or coalesce(d.accepted_at, d.updated_at) >= k.judged_since)
        ) known
        where status = 'failed'
      ) run
      where distance < ${of}::integer)`
