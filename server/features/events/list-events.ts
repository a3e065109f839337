import type { TenantSql } from '../../platform/database.ts'
import type { EventKind } from '../../platform/events.ts'
import { toCursorPage } from '../../platform/http/pagination.ts'
import type { Principal } from '../../platform/http/principal.ts'
import { lowestIdAt } from '../../platform/ids.ts'
import { parseInstant } from '../../platform/instants.ts'
import { listEvents } from './queries.ts'
import type { Event, EventFilter } from './schema.ts'
import { visibleTypes, wantedTypes } from './visible-types.ts'

interface Listing {
  kinds: EventKind[]
  retentionDays: number
}

const dayMs = 24 * 3600_000

/** The events that the caller may see. Those past the retention are not listed, even while they are still stored. */
export async function readEvents(
  sql: TenantSql,
  filter: EventFilter,
  principal: Principal,
  { kinds, retentionDays }: Listing,
) {
  const { limit, starting_after: before, created_after } = filter
  const rows = await listEvents(sql, {
    types: visibleTypes(wantedTypes(filter.type), principal, kinds),
    oldest: lowestIdAt(new Date(Date.now() - retentionDays * dayMs)),
    from: created_after === undefined ? undefined : firstIdAfter(created_after),
    before,
    limit,
  })
  return toCursorPage<Event>(rows, limit)
}

/** An event's id contains its time, to the millisecond. */
const firstIdAfter = (instant: string) => lowestIdAt(new Date(Date.parse(parseInstant(instant) as string) + 1))
