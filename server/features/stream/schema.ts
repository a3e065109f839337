import Type, { type Static } from 'typebox'
import { EventFilter } from '../events/schema.ts'

export const StreamFilter = Type.Object({
  type: EventFilter.properties.type,
  last_event_id: Type.Optional(
    Type.String({
      format: 'uuid',
      description:
        'Where to resume, for clients that cannot send the header `Last-Event-ID`. The header takes precedence',
    }),
  ),
})
export type StreamFilter = Static<typeof StreamFilter>
