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
      object: FreeObject({ description: 'The record as it was right after the event' }),
      previous: Type.Optional(FreeObject({ description: 'Previous values of the changed fields' })),
    }),
  },
  { title: 'Event' },
)
export type Event = Static<typeof Event>

export const EventFilter = Type.Object({
  ...CursorQuery,
  type: Type.Optional(
    Type.Array(Type.String({ maxLength: 2000 }), {
      description: 'One or more types, such as `task.completed` or `contact.*`, repeated or comma-separated',
    }),
  ),
  created_after: Type.Optional(Type.String({ format: 'date-time', description: 'Created after this time' })),
})
export type EventFilter = Static<typeof EventFilter>

export const EventPage = CursorPage(Event)
