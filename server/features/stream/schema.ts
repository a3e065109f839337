import Type, { type Static } from 'typebox'
import { EventFilter } from '../events/schema.ts'

export const StreamFilter = Type.Object({
  type: EventFilter.properties.type,
  hints: Type.Optional(
    Type.Boolean({
      description:
        'Also sends hints, which are no events: they have no `id`, are stored nowhere and may be lost. `presence.changed`: a member views a ticket or types. `notification.created`: you have a notification. `saved_reply.changed`, `inbox_view.changed`: a private saved reply or view of yours was changed, perhaps in another browser',
    }),
  ),
  last_event_id: Type.Optional(
    Type.String({
      format: 'uuid',
      description:
        'Where to resume, for clients that cannot send the header `Last-Event-ID`. The header takes precedence',
    }),
  ),
})
export type StreamFilter = Static<typeof StreamFilter>
