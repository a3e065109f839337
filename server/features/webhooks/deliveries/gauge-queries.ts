import Type from 'typebox'
import type { SystemSql } from '../../../platform/database.ts'
import { QueueDepthRow } from '../../../platform/queue-depths.ts'
import { suspendedIds } from '../../../platform/suspended.ts'

const DeliveryCounts = Type.Object({ pending: Type.Integer(), succeeded: Type.Integer(), failed: Type.Integer() })

export const countDeliveries = (system: SystemSql) =>
  system.one(DeliveryCounts)`
    select coalesce(sum(n) filter (where status = 'pending'), 0)::bigint as pending,
      coalesce(sum(n) filter (where status = 'succeeded'), 0)::bigint as succeeded,
      coalesce(sum(n) filter (where status = 'failed'), 0)::bigint as failed
    from webhook_delivery_counts`

/** Bounds the number of endpoints that one scrape looks at. */
const mostEndpoints = 1_000

/**
 * Pending deliveries of the endpoints that have any, from their counters, and how long the oldest has been due at an
 * endpoint that does not fail: retries of failing endpoints are late by design.
 */
export const readDeliveryDepth = (system: SystemSql, queue: string) =>
  system.one(QueueDepthRow)`
    with busy as materialized (
      select organization_id, livemode, webhook_id, due_at, failing_since from endpoint_leases
      where due_at is not null and organization_id <> all(${suspendedIds}) order by due_at limit ${mostEndpoints}
    )
    select ${queue}::text as queue, coalesce((
      select sum(n) from busy join webhook_delivery_counts using (organization_id, livemode, webhook_id)
      where status = 'pending'), 0)::bigint as waiting,
      coalesce((
      select extract(epoch from now() - min(d.next_attempt_at)) from busy cross join lateral (
        select next_attempt_at from webhook_deliveries
        where webhook_id = busy.webhook_id and status = 'pending' and next_attempt_at <= now()
        order by next_attempt_at limit 1) d
      where due_at <= now() and failing_since is null), 0)::double precision as oldest_seconds`
