import type { SystemTx, TenantTx } from '../../../platform/database.ts'
import type { Sql } from '../../../platform/sql.ts'

/** Deletes a batch of all organizations' deliveries with a lower id. The counters tell which webhooks have a log. */
export const deleteDeliveriesBelow = (tx: SystemTx, id: string, batchSize: number) =>
  tx.run`
    delete from webhook_deliveries d using (
      select expired.* from
        (select distinct organization_id, livemode, webhook_id from webhook_delivery_counts) logged cross join lateral (
          select organization_id, livemode, webhook_id, id from webhook_deliveries
          where organization_id = logged.organization_id and livemode = logged.livemode
            and webhook_id = logged.webhook_id and id < ${id}
          order by id limit ${batchSize}
        ) expired limit ${batchSize}
    ) batch
    where d.organization_id = batch.organization_id and d.livemode = batch.livemode
      and d.webhook_id = batch.webhook_id and d.id = batch.id`

/** The same for the caller's organization, which may keep its events for a shorter time. */
export const deleteTenantDeliveriesBelow = (tx: TenantTx, id: string, batchSize: number) =>
  tx.run`
    delete from webhook_deliveries where webhook_id = any(array(select id from webhooks)) and id = any(array(
      select old.id from webhooks cross join lateral (
        select id from webhook_deliveries where webhook_id = webhooks.id and id < ${id} order by id limit ${batchSize}
      ) old order by old.id limit ${batchSize}))`

/** Deletes the deliveries of these events to the caller's webhooks. */
export const deleteDeliveriesOf = (tx: Sql, eventIds: string[]) =>
  tx.run`
    delete from webhook_deliveries
    where webhook_id = any(array(select id from webhooks)) and id = any(${eventIds}::uuid[])`

/** Deletes deliveries of deleted webhooks. */
export const deleteOrphans = (tx: SystemTx, batchSize: number) =>
  tx.run`
    delete from webhook_deliveries d using (
      select orphan.* from (
        select distinct organization_id, livemode, webhook_id from webhook_delivery_counts c where not exists (
          select from webhooks w where w.organization_id = c.organization_id and w.livemode = c.livemode
            and w.id = c.webhook_id and w.deleted_at is null)
      ) deleted cross join lateral (
        select organization_id, livemode, webhook_id, id from webhook_deliveries
        where organization_id = deleted.organization_id and livemode = deleted.livemode and webhook_id = deleted.webhook_id
        order by id limit ${batchSize}
      ) orphan limit ${batchSize}
    ) batch
    where d.organization_id = batch.organization_id and d.livemode = batch.livemode
      and d.webhook_id = batch.webhook_id and d.id = batch.id`

/** Deletes the rows of deleted webhooks that have no log left, and their counters. */
export async function removeDeletedWebhooks(tx: SystemTx): Promise<void> {
  await tx.run`
    delete from webhooks w where deleted_at is not null and not exists (
      select from webhook_deliveries d where d.organization_id = w.organization_id and d.livemode = w.livemode
        and d.webhook_id = w.id)`
  await tx.run`
    delete from webhook_delivery_counts c where not exists (
      select from webhooks w where w.organization_id = c.organization_id and w.livemode = c.livemode
        and w.id = c.webhook_id)
      and not exists (
      select from webhook_deliveries d where d.organization_id = c.organization_id and d.livemode = c.livemode
        and d.webhook_id = c.webhook_id)`
}
