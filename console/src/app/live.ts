import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from './api.ts'
import { useSession } from './session.tsx'

/** What is on screen follows what happens. Lists are named by their noun, so an event knows which ones it touches. */
const touches: Record<string, string[]> = {
  contact: ['contacts', 'dashboard'],
  activity: ['activities', 'contacts'],
  task: ['tasks', 'dashboard'],
  ticket: ['tickets', 'messages'],
  message: ['messages', 'tickets', 'activities'],
  template: ['templates'],
  campaign: ['campaigns', 'deliveries'],
  agent: ['agents'],
  call: ['calls', 'activities'],
  document: ['documents'],
  webhook: ['webhooks'],
  channel: ['channels'],
}

const gatherForMs = 150

export function useLiveUpdates(): void {
  const queries = useQueryClient()
  const { mode, me } = useSession()
  const organization = me?.organization.id
  useEffect(() => {
    if (!organization) return
    const ending = new AbortController()
    const stale = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const flush = () => {
      timer = undefined
      for (const noun of stale) void queries.invalidateQueries({ queryKey: [mode, noun] })
      stale.clear()
    }
    const listen = async () => {
      for await (const { type } of api.events.stream({}, { signal: ending.signal })) {
        for (const noun of touches[type.split('.')[0] as string] ?? []) stale.add(noun)
        // A campaign makes thousands of events in a second: one look is enough for all.
        timer ??= setTimeout(flush, gatherForMs)
      }
    }
    // The stream reconnects by itself; what it cannot mend, the next visit to a page does.
    listen().catch(() => {})
    return () => {
      ending.abort()
      clearTimeout(timer)
    }
  }, [queries, mode, organization])
}
