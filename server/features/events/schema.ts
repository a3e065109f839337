import Type, { type Static } from 'typebox'
import { CursorPage, CursorQuery } from '../../platform/http/pagination.ts'
import { FreeObject, Id, Instant } from '../../platform/schemas.ts'

export const Event = Type.Object(
  {
    id: Id,
    type: Type.String({ examples: ['contact.created'] }),
    created_at: Instant,
    organization_id: Id,
    livemode: Type.Boolean(),
    data: Type.Object({
      object: FreeObject({ description: 'What it happened to, as it was right afterwards' }),
      previous: Type.Optional(FreeObject({ description: 'The former values of what changed' })),
    }),
  },
  { title: 'Event' },
)
export type Event = Static<typeof Event>

export const EventFilter = Type.Object({
  ...CursorQuery,
  type: Type.Optional(
    Type.Array(Type.String({ maxLength: 2000 }), {
      description: 'One or more types, such as `task.completed` or `contact.*`, repeated or separated by commas',
    }),
  ),
  created_after: Type.Optional(Type.String({ format: 'date-time', description: 'Happened later than this' })),
})
export type EventFilter = Static<typeof EventFilter>

export const EventPage = CursorPage(Event)
