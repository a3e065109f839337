import Type, { type Static } from 'typebox'
import type { SystemSql, TenantScope, TenantSql } from '../../platform/database.ts'
import { Position } from '../../platform/events.ts'
import { lowestId, lowestIdAt, timeOfId } from '../../platform/ids.ts'
import { Id, Nullable } from '../../platform/schemas.ts'
import { sql } from '../../platform/sql.ts'

/** An event with its position in the stream; `data` stays text and is passed on unparsed. */
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

/** Every transaction below this one has ended, so none of them can add an event. */
export const readHorizon = (system: SystemSql) => system.one(Horizon)`select event_horizon()::text as horizon`

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

/**
 * What these tenants did since, as far as it is settled, and how far that is: one row without an event where there is
 * none.
 */
export const readTail = (system: SystemSql, tenants: TenantScope[], after: Position, most: number) =>
  system.all(TailRow)`
    select h.horizon::text, e.* from (select event_horizon() as horizon) h left join lateral (
      select ${columns} from events
      where (events.transaction_id, events.id) > (${after.transaction_id}::xid8, ${after.event_id}::uuid)
        and events.transaction_id < h.horizon
        and (organization_id, livemode) in (
          select * from unnest(${tenants.map(({ organizationId }) => organizationId)}::uuid[],
            ${tenants.map(({ livemode }) => livemode)}::boolean[]))
      order by events.transaction_id, events.id limit ${most}
    ) e on true
    order by e.transaction_id::xid8, e.id`

/** After one position, up to and including another. */
const between = (after: Position, through: Position) => sql`
  (organization_id, livemode, events.transaction_id, events.id)
    > (current_organization(), current_livemode(), ${after.transaction_id}::xid8, ${after.event_id}::uuid)
  and (organization_id, livemode, events.transaction_id, events.id)
    <= (current_organization(), current_livemode(), ${through.transaction_id}::xid8, ${through.event_id}::uuid)`

/**
 * The caller's own events after one position, up to and including another. Row-level security limits them anyway;
 * organization and mode are named for the index that begins with them. Without them PostgreSQL would walk through the
 * events of all tenants.
 */
export const readBacklog = (
  tenant: TenantSql,
  { after, through, most }: { after: Position; through: Position; most: number },
) =>
  tenant.all(StreamedEvent)`
    select ${columns} from events
    where ${between(after, through)}
    order by organization_id, livemode, events.transaction_id, events.id limit ${most}`

const EventId = Type.Object({ id: Id })
const PlacedEvent = Type.Object({ id: Id, transaction_id: Type.String() })

/** The caller's own last event up to and including this position; it names the tenant for the same index. */
export const findLastEvent = (tenant: TenantSql, { transaction_id, event_id }: Position) =>
  tenant.maybe(EventId)`
    select id from events
    where (organization_id, livemode, events.transaction_id, events.id)
        <= (current_organization(), current_livemode(), ${transaction_id}::xid8, ${event_id}::uuid)
    order by organization_id desc, livemode desc, events.transaction_id desc, events.id desc limit 1`

/** The caller's own events after one position, up to and including another, that are visible already. */
export const idsBetween = async (tenant: TenantSql, after: Position, through: Position): Promise<string[]> =>
  (
    await tenant.all(EventId)`
      select id from events
      where ${between(after, through)}`
  ).map(({ id }) => id)

/** Of these events, those that the caller sees. */
export const idsAmong = async (tenant: TenantSql, ids: string[]): Promise<string[]> =>
  (await tenant.all(EventId)`select id from events where id = any(${ids}::uuid[])`).map(({ id }) => id)

const TicketId = Type.Object({ id: Id })

export const findTicketId = (tenant: TenantSql, id: string) =>
  tenant.maybe(TicketId)`select id from tickets where id = ${id}`

const longestTransactionMs = 3_600_000

/**
 * The position of that event. If it is past its retention, a position before all younger events: those are not in the
 * order of their ids, because a transaction that began earlier may create them later or commit later.
 */
export async function findPlace(tenant: TenantSql, eventId: string): Promise<Position | undefined> {
  const next = await tenant.maybe(PlacedEvent)`
    select id, transaction_id::text from events where id >= ${eventId} order by events.id limit 1`
  if (!next) return undefined
  if (next.id === eventId.toLowerCase()) return { transaction_id: next.transaction_id, event_id: next.id }
  const until = lowestIdAt(new Date(timeOfId(next.id) + longestTransactionMs))
  return tenant.one(Position)`
    select least(min(transaction_id), event_horizon())::text as transaction_id,
      ${lowestId}::uuid as event_id
    from events where id >= ${next.id} and id < ${until}`
}
