import type { Database, TenantScope } from '../../../platform/database.ts'
import { requestBody } from '../event-request.ts'
import { readEventTexts } from './queries.ts'

/** Size of the cache in characters. An event usually goes to several endpoints at about the same time. */
const maxCharacters = 8_000_000

export interface EventBody {
  /** As it is posted. */
  body: string
  /** The trace of the request that wrote the event. */
  traceparent: string | null
}

interface EventBodies {
  /** Request bodies by event id, built once for all endpoints. Events past their retention are missing. */
  read(events: (TenantScope & { id: string })[]): Promise<Map<string, EventBody>>
}

export function createEventBodies(database: Database): EventBodies {
  const cached = new Map<string, EventBody>()
  let characters = 0
  const keyOf = ({ organizationId, livemode, id }: TenantScope & { id: string }) => `${organizationId}${livemode}${id}`

  function addToCache(key: string, added: EventBody): void {
    cached.set(key, added)
    characters += added.body.length
    for (const [oldest, { body }] of cached) {
      if (characters <= maxCharacters) return
      cached.delete(oldest)
      characters -= body.length
    }
  }

  return {
    async read(events) {
      const bodies = new Map<string, EventBody>()
      const unknown = new Map<string, TenantScope & { id: string }>()
      for (const event of events) {
        const body = cached.get(keyOf(event))
        if (body === undefined) unknown.set(keyOf(event), event)
        else bodies.set(event.id, body)
      }
      if (unknown.size === 0) return bodies
      const wanted = [...unknown.values()]
      for (const row of await readEventTexts(database.forSystem(), wanted)) {
        const body = { body: requestBody(row), traceparent: row.traceparent }
        bodies.set(row.id, body)
        addToCache(keyOf({ organizationId: row.organization_id, livemode: row.livemode, id: row.id }), body)
      }
      return bodies
    },
  }
}
