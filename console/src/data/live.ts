import type { api as types } from '@frontdesk/sdk'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followEvents, isHint } from './follow-events.ts'
import { useSession } from './session.tsx'

/** The query keys that an event invalidates. Queries are keyed by noun. */
const touches: Record<string, string[]> = {
  contact: ['contacts', 'activities', 'dashboard', 'tickets'],
  activity: ['activities', 'contacts'],
  task: ['tasks', 'activities', 'dashboard'],
  ticket: ['tickets', 'messages', 'assignments', 'contacts'],
  note: ['notes', 'activities'],
  message: ['messages', 'tickets', 'activities', 'feedback'],
  scheduled_message: ['scheduled'],
  template: ['templates'],
  campaign: ['campaigns', 'deliveries'],
  // Whether an agent is active, and on which channel, decides which conversations and contacts the AI answers.
  agent: ['agents', 'tickets', 'contacts'],
  call: ['calls', 'activities'],
  document: ['documents', 'faqs', 'collections'],
  collection: ['collections', 'documents'],
  website: ['websites'],
  webhook: ['webhooks'],
  channel: ['channels', 'tickets', 'contacts'],
  notification: ['notifications'],
  team: ['teams'],
  member: ['availability'],
  assignment_rule: ['assignment-rules'],
  schedule: ['schedules'],
  sla_policy: ['sla-policies'],
  saved_reply: ['saved-replies'],
  inbox_view: ['views'],
  bulk_edit: ['contacts'],
}

/** Fetched again after a gap. Events are merged into threads, so no event invalidates them. */
const touched = new Set(['events', 'threads', ...Object.values(touches).flat()])

/** What the AI answers also changes when the business hours of an agent begin or end, for which there is no event. */
const changedByHours = ['tickets', 'contacts']

/** Business hours begin and end at full minutes. The rest spreads the requests of many tabs. */
const untilNextMinute = () => 60_000 - (Date.now() % 60_000) + 2_000 * Math.random()

const gatherForMs = 150
/** At most one refetch in this time, however many events arrive. */
const restMs = 1_000

const listeners = new Set<(event: types.Event) => void>()

/** Subscribes to events, for code that applies them itself. Returns the unsubscribe function. */
export function onEvent(listener: (event: types.Event) => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/**
 * Fetches what is shown again. A first load that is under way is not repeated by TanStack Query, although its response
 * may be older than the event: it is fetched again when it ends.
 */
function refetch(queries: QueryClient, queryKey: string[]): void {
  for (const query of queries.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' }))
    if (query.state.data === undefined)
      query.promise?.then(
        () => queries.invalidateQueries({ queryKey: query.queryKey, exact: true }),
        () => {},
      )
  void queries.invalidateQueries({ queryKey })
}

export function useLiveUpdates(): void {
  const queries = useQueryClient()
  const { mode, me } = useSession()
  const organization = me?.is_suspended ? undefined : me?.organization.id
  const person = me?.user?.id
  useEffect(() => {
    if (!organization) return
    const stale = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    let lastFlush = -restMs
    const flush = () => {
      timer = undefined
      lastFlush = performance.now()
      for (const noun of stale) refetch(queries, [mode, noun])
      stale.clear()
    }
    // A campaign emits thousands of events per second; one refetch covers them all.
    const refetchSoon = (nouns: Iterable<string>) => {
      for (const noun of nouns) stale.add(noun)
      if (stale.size > 0) timer ??= setTimeout(flush, Math.max(gatherForMs, lastFlush + restMs - performance.now()))
    }
    const stop = followEvents({
      name: `frontdesk events of ${organization} for ${person} in ${mode}`,
      onEvent(event) {
        for (const listener of listeners) listener(event)
        const nouns = touches[event.type.split('.')[0] as string] ?? []
        refetchSoon(isHint(event) ? nouns : ['events', ...nouns])
      },
      onGap: () => refetchSoon(touched),
    })
    let hours: ReturnType<typeof setTimeout>
    const followHours = () => {
      hours = setTimeout(() => {
        // A tab in the background fetches again when it comes to the front.
        if (!document.hidden) refetchSoon(changedByHours)
        followHours()
      }, untilNextMinute())
    }
    followHours()
    return () => {
      stop()
      clearTimeout(hours)
      clearTimeout(timer)
    }
  }, [queries, mode, organization, person])
}
