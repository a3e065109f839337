import Type, { type Static } from 'typebox'
import { Id, IdOf, Instant, largestInteger, Nullable } from '../../../platform/schemas.ts'
import { ViewFilters } from '../tickets/schema.ts'

const name = Type.String({ minLength: 1, maxLength: 64, pattern: '\\S', examples: ['Billing, longest wait first'] })
const shared = Type.Boolean({ description: 'Whether all members see it, or only you' })
const position = Type.Integer({ minimum: 0, maximum: largestInteger, description: 'Views are listed by position' })

/** A named set of filters of the ticket list. */
export const InboxView = Type.Object(
  {
    id: Id,
    organization_id: Id,
    name,
    shared,
    owner_id: Nullable({ ...Id, description: 'The member of a private one' }),
    filters: ViewFilters,
    position,
    livemode: Type.Boolean(),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'InboxView' },
)
export type InboxView = Static<typeof InboxView>

export const NewInboxView = Type.Object(
  {
    name,
    filters: ViewFilters,
    shared: Type.Boolean({ ...shared, default: false }),
    position: Type.Optional({ ...position, description: 'The end of the list by default' }),
  },
  {
    title: 'NewInboxView',
    examples: [{ name: 'Longest wait first', filters: { queue: 'needs_person', sort: 'waiting_since' }, shared: true }],
  },
)
export type NewInboxView = Static<typeof NewInboxView>

export const InboxViewChanges = Type.Object(
  {
    name: Type.Optional(name),
    filters: Type.Optional(ViewFilters),
    shared: Type.Optional(shared),
    position: Type.Optional(position),
  },
  { title: 'InboxViewChanges', minProperties: 1, examples: [{ position: 0 }] },
)
export type InboxViewChanges = Static<typeof InboxViewChanges>

export const InboxViewPath = Type.Object({ view_id: IdOf('view') })
export const InboxViews = Type.Object({ data: Type.Array(InboxView) })
