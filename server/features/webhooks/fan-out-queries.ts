import type { SystemTx } from '../../platform/database.ts'
import type { Stretch } from '../../platform/events.ts'

/**
 * Answers how many it added. The lanes are moved in the same statement: whoever is letting go of one of them is waited for,
 * and a webhook that is deleted at this moment has none any more. A ping is for the one endpoint that it was made for.
 */
export const addDeliveriesOf = (tx: SystemTx, { after, through }: Stretch) =>
  tx.run`
    with matched as materialized (
      select w.organization_id, w.livemode, w.id as webhook_id, e.id, e.type
      from events e join webhooks w on w.organization_id = e.organization_id and w.livemode = e.livemode
      where (e.transaction_id, e.id) > (${after.transaction_id}::xid8, ${after.event_id}::uuid)
        and (e.transaction_id, e.id) <= (${through.transaction_id}::xid8, ${through.event_id}::uuid)
        and w.status = 'enabled' and w.deleted_at is null and e.transaction_id >= w.hears_from
        and e.type <> 'ping' and webhook_hears(w.events, e.type)
    ), lane as (
      update webhook_lanes l set due_at = least(due_at, greatest(now(), paused_until))
      from (select distinct organization_id, livemode, webhook_id from matched) wanted
      where l.organization_id = wanted.organization_id and l.livemode = wanted.livemode
        and l.webhook_id = wanted.webhook_id
      returning l.webhook_id
    )
    insert into webhook_deliveries (organization_id, livemode, webhook_id, id, event_type, next_attempt_at)
    select m.organization_id, m.livemode, m.webhook_id, m.id, m.type, now() from matched m join lane using (webhook_id)
    on conflict do nothing`
