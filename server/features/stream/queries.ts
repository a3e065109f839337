import Type, { type Static } from 'typebox'
import type { SystemSql, TenantScope, TenantSql } from '../../platform/database.ts'
import { Position } from '../../platform/events.ts'
import { Id, Nullable } from '../../platform/schemas.ts'
import { sql } from '../../platform/sql.ts'

/** An event with its place; `data` is text, to be passed on as it is. */
export const StreamedEvent = Type.Object({
  organization_id: Id,
  livemode: Type.Boolean(),
  id: Id,
  type: Type.String(),
  created_at: Type.String(),
  transaction_id: Type.String(),
  data: Type.String(),
})
export type StreamedEvent = Static<typeof StreamedEvent>

const columns = sql`organization_id, livemode, id, type, created_at, transaction_id::text, data::text`

const Horizon = Type.Object({ horizon: Type.String() })

/** Every transaction before this one has ended: no event of theirs is still to come. */
export const readHorizon = (system: SystemSql) =>
  system.one(Horizon)`select pg_snapshot_xmin(pg_current_snapshot())::text as horizon`

const { properties } = StreamedEvent
const TailRow = Type.Object({
  horizon: Type.String(),
  organization_id: Nullable(properties.organization_id),
  livemode: Type.Unsafe<boolean | null>({}),
  id: Nullable(properties.id),
  type: Nullable(properties.type),
  created_at: Nullable(properties.created_at),
  transaction_id: Nullable(properties.transaction_id),
  data: Nullable(properties.data),
})

/** What these tenants did since, as far as it is certain, and how far that is: one row without an event where there is none. */
export const readTail = (system: SystemSql, tenants: TenantScope[], after: Position, most: number) =>
  system.all(TailRow)`
    select h.horizon::text, e.* from (select pg_snapshot_xmin(pg_current_snapshot()) as horizon) h left join lateral (
      select ${columns} from events
      where (events.transaction_id, events.id) > (${after.transaction_id}::xid8, ${after.event_id}::uuid)
        and events.transaction_id < h.horizon
        and (organization_id, livemode) in (
          select * from unnest(${tenants.map(({ organizationId }) => organizationId)}::uuid[],
            ${tenants.map(({ livemode }) => livemode)}::boolean[]))
      order by events.transaction_id, events.id limit ${most}
    ) e on true
    order by e.transaction_id::xid8, e.id`

/**
 * The caller's own events behind one place, up to and with another. It names the caller's organization and mode, which it sees
 * nothing beyond anyway, for the index that begins with them: without, everybody's events would be walked through.
 */
export const readBacklog = (
  tenant: TenantSql,
  { after, through, most }: { after: Position; through: Position; most: number },
) =>
  tenant.all(StreamedEvent)`
    select ${columns} from events
    where (organization_id, livemode, events.transaction_id, events.id)
        > (current_organization(), current_livemode(), ${after.transaction_id}::xid8, ${after.event_id}::uuid)
      and (organization_id, livemode, events.transaction_id, events.id)
        <= (current_organization(), current_livemode(), ${through.transaction_id}::xid8, ${through.event_id}::uuid)
    order by organization_id, livemode, events.transaction_id, events.id limit ${most}`

const LastEvent = Type.Object({ id: Id })

/** The caller's own last event up to and with this place; it names the caller for the same index. */
export const findLastEvent = (tenant: TenantSql, { transaction_id, event_id }: Position) =>
  tenant.maybe(LastEvent)`
    select id from events
    where (organization_id, livemode, events.transaction_id, events.id)
        <= (current_organization(), current_livemode(), ${transaction_id}::xid8, ${event_id}::uuid)
    order by organization_id desc, livemode desc, events.transaction_id desc, events.id desc limit 1`

/** The place of that event; where it is not kept any more, the place before the first that is younger. */
export const findPlace = (tenant: TenantSql, eventId: string) =>
  tenant.maybe(Position)`
    select transaction_id::text,
      case when id = ${eventId} then id else '00000000-0000-0000-0000-000000000000' end as event_id
    from events where id >= ${eventId} order by events.id limit 1`
