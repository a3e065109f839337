import Type, { type Static } from 'typebox'
import { CursorPage, CursorQuery } from '../../../platform/http/pagination.ts'
import { Id, Instant, Nullable, OneOf } from '../../../platform/schemas.ts'

const Status = OneOf(['online', 'away', 'off'] as const, {
  description: 'Only members who are `online` are assigned conversations automatically',
})
const capacity = Nullable(
  Type.Integer({
    minimum: 0,
    maximum: 10_000,
    description: 'Most open tickets that are assigned automatically; null for no limit',
    examples: [10],
  }),
)

export const Availability = Type.Object(
  {
    id: { ...Id, description: 'Id of the member' },
    name: Type.String({ examples: ['Ada Lovelace'] }),
    status: Status,
    capacity,
    open_tickets: Type.Integer({ description: 'Open tickets that are assigned to the member', examples: [3] }),
    updated_at: Nullable({ ...Instant, description: 'Null if it was never set' }),
  },
  { title: 'Availability' },
)
export type Availability = Static<typeof Availability>

/** As events show it. */
export const MemberAvailability = Type.Omit(Availability, ['open_tickets'], { title: 'MemberAvailability' })
export type MemberAvailability = Static<typeof MemberAvailability>

export const AvailabilityChanges = Type.Object(
  { status: Type.Optional(Status), capacity: Type.Optional(capacity) },
  { title: 'AvailabilityChanges', examples: [{ status: 'away' }] },
)
export type AvailabilityChanges = Static<typeof AvailabilityChanges>

export const AvailabilityFilter = Type.Object({ ...CursorQuery })
export type AvailabilityFilter = Static<typeof AvailabilityFilter>
export const AvailabilityPage = CursorPage(Availability)
