import Type, { type Static } from 'typebox'
import type { SystemTx } from '../../../platform/database.ts'
import { type EventKind, type EventRange, isInRange } from '../../../platform/events.ts'
import { Id } from '../../../platform/schemas.ts'

const EndpointRef = Type.Object({ organization_id: Id, livemode: Type.Boolean(), webhook_id: Id })
type EndpointRef = Static<typeof EndpointRef>

/** One JSON object, looked up per event and webhook: a join would let the planner scan the list for each pair. */
const scopesByType = (kinds: EventKind[]) =>
  JSON.stringify(Object.fromEntries(kinds.map(({ type, scope }) => [type, scope])))

/**
 * Adds the deliveries of a range of events; returns the webhooks that got any. A webhook gets the types that its scopes
 * allow, and events that committed after it was created or last enabled: `hears_since` is the snapshot of that moment.
 * A type that this version does not know, written by a newer node, needs `full_access`. A ping is added by
 * `testWebhook`.
 */
export const addDeliveriesOf = (tx: SystemTx, range: EventRange, kinds: EventKind[]) =>
  tx.all(EndpointRef)`
    with added as (
      insert into webhook_deliveries (organization_id, livemode, webhook_id, id, event_type, next_attempt_at)
      select w.organization_id, w.livemode, w.id, events.id, events.type, now()
      from events join webhooks w on w.organization_id = events.organization_id and w.livemode = events.livemode
      where ${isInRange(range)} and w.status = 'enabled' and w.deleted_at is null
        and not pg_visible_in_snapshot(events.transaction_id, w.hears_since)
        and events.type <> 'ping' and webhook_hears(w.events, events.type)
        and w.scopes && array['full_access', ${scopesByType(kinds)}::jsonb ->> events.type]
      on conflict do nothing
      returning organization_id, livemode, webhook_id
    )
    select distinct organization_id, livemode, webhook_id from added`

/**
 * Blocks until a worker releasing one of these leases has committed; it then either sees the new deliveries or leaves
 * the endpoint due. Runs last in its transaction: the rows stay locked until the commit, and workers wait for them.
 */
export const makeEndpointsDue = (tx: SystemTx, endpoints: EndpointRef[]) =>
  tx.run`
    update endpoint_leases l set due_at = least(l.due_at, greatest(now(), l.paused_until))
    from (
      select lease.organization_id, lease.livemode, lease.webhook_id
      from unnest(${endpoints.map(({ organization_id }) => organization_id)}::uuid[],
          ${endpoints.map(({ livemode }) => livemode)}::boolean[], ${endpoints.map(({ webhook_id }) => webhook_id)}::uuid[])
          given (organization_id, livemode, webhook_id)
        join endpoint_leases lease using (organization_id, livemode, webhook_id)
      order by lease.webhook_id for update of lease
    ) locked
    where l.organization_id = locked.organization_id and l.livemode = locked.livemode
      and l.webhook_id = locked.webhook_id`
