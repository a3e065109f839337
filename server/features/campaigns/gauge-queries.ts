import Type from 'typebox'
import type { SystemSql } from '../../platform/database.ts'
import { QueueDepthRow } from '../../platform/queue-depths.ts'
import { suspendedIds } from '../../platform/suspended.ts'

const StatusCount = Type.Object({ status: Type.String(), n: Type.Integer() })

export const countCampaigns = (system: SystemSql) =>
  system.all(StatusCount)`select status, sum(n)::bigint as n from campaign_counts group by status`

/**
 * Messages that campaigns under way have not sent yet, from their counters, and how long a channel with such messages
 * has waited for a worker. A channel on hold is not due.
 */
export const readDeliveryDepth = (system: SystemSql, queue: string) =>
  system.one(QueueDepthRow)`
    select ${queue}::text as queue, coalesce((
      select sum(c.pending + c.sending) from campaigns k join delivery_counts c
        on c.organization_id = k.organization_id and c.livemode = k.livemode and c.campaign_id = k.id
      where k.status = 'sending' and k.deleted_at is null), 0)::bigint as waiting,
      coalesce((
      select extract(epoch from now() - due_at) from sending_channels
      where due_at <= now() and organization_id <> all(${suspendedIds}) order by due_at limit 1
      ), 0)::double precision as oldest_seconds`
