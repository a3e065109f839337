import type { EventKind } from '../../platform/events.ts'
import { anyScope } from '../../platform/http/principal.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { readEvents } from './list-events.ts'
import { EventFilter, EventPage } from './schema.ts'

/** `kinds`: every event type of this service; each feature declares its own. */
export function eventRoutes(routes: Routes, listing: { kinds: EventKind[]; retentionDays: number }): void {
  routes.read({
    id: 'listEvents',
    method: 'GET',
    url: '/events',
    tag: 'Events',
    summary: 'List events',
    description: 'Newest first. Events that the credential’s scopes do not cover are omitted.',
    scope: anyScope,
    query: EventFilter,
    response: EventPage,
    handler: (sql, { query, principal }) => readEvents(sql, query, principal, listing),
  })
}
