import type { api as types } from '@frontdesk/sdk'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useDeferredValue, useEffect, useState } from 'react'
import { api } from '../../data/api.ts'
import { onEvent } from '../../data/live.ts'
import { useSession } from '../../data/session.tsx'

/** The loaded part of a conversation: its newest messages, without gaps, oldest first. */
interface Thread {
  messages: types.Message[]
  /** Total number of messages. */
  total: number
}

const pageSize = 50
const olderPageSize = 100
/** After missing more pages than this, the thread is loaded again. */
const mostPagesToCatchUp = 10

/** Not a noun that events invalidate: each event is merged into the thread instead. */
export const threadKey = (mode: string, ticketId: string) => [mode, 'threads', ticketId]

const isBefore = (a: types.Message, b: types.Message) =>
  a.created_at === b.created_at ? a.id < b.id : a.created_at < b.created_at

/** The order of statuses. A status never goes back, but `unknown` may become `delivered`. */
const progress = { sent: 0, failed: 1, delivered: 2, read: 3 }

/**
 * Responses and events may overtake each other, so the later state wins. The status counts before the time, because
 * transactions on one message may commit out of order. A downloaded file does not change the time.
 */
function isLater(fresh: types.Message, before: types.Message): boolean {
  const step = progress[fresh.status] - progress[before.status]
  if (step !== 0) return step > 0
  if (fresh.updated_at !== before.updated_at) return fresh.updated_at > before.updated_at
  return fresh.media_size !== before.media_size
}

function merged(known: types.Message[], fresh: types.Message[]): types.Message[] {
  const byId = new Map(known.map((message) => [message.id, message]))
  let isChanged = false
  for (const message of fresh) {
    const before = byId.get(message.id)
    if (before && !isLater(message, before)) continue
    byId.set(message.id, message)
    isChanged = true
  }
  return isChanged ? [...byId.values()].sort((a, b) => (isBefore(a, b) ? -1 : 1)) : known
}

/** How long to wait for the service to download a customer's file. */
const fileIsDueMs = 5 * 60_000

export const isAwaitingFile = ({ media_url, media_size, created_at }: types.Message): boolean =>
  media_url !== null && media_size === null && Date.now() - Date.parse(created_at) < fileIsDueMs

const isOnItsWay = ({ direction, status, created_at }: types.Message): boolean =>
  direction === 'outbound' && status === 'sent' && Date.now() - Date.parse(created_at) < 60_000

async function newestOf(queries: QueryClient, key: string[], ticketId: string, signal: AbortSignal): Promise<Thread> {
  const fresh: types.Message[] = []
  let total = 0
  for (let pages = 0; pages < mostPagesToCatchUp; pages++) {
    const page = await api.inbox.listMessages(
      ticketId,
      { order: 'desc', limit: pageSize, offset: fresh.length },
      { signal },
    )
    fresh.push(...page.messages)
    total = page.total
    // Read late, because events and older pages may have arrived in the meantime.
    const known = queries.getQueryData<Thread>(key)?.messages ?? []
    const ids = new Set(known.map(({ id }) => id))
    const isWhole = fresh.length >= total
    if (known.length === 0 || isWhole || page.messages.some(({ id }) => ids.has(id)))
      return { messages: merged(known, fresh), total }
  }
  return { messages: merged([], fresh), total }
}

/** Merges a message into its thread, if that is loaded. */
export function putMessage(queries: QueryClient, mode: string, message: types.Message): void {
  if (!message.inbox_id) return
  queries.setQueryData<Thread>(threadKey(mode, message.inbox_id), (thread) => {
    if (!thread) return thread
    const isNew = !thread.messages.some(({ id }) => id === message.id)
    // Older than all loaded messages: it comes with its page.
    if (isNew && thread.messages[0] && isBefore(message, thread.messages[0])) return thread
    const messages = merged(thread.messages, [message])
    return messages === thread.messages ? thread : { messages, total: thread.total + (isNew ? 1 : 0) }
  })
}

const none: types.Message[] = []

export function useThread(ticketId: string) {
  const queries = useQueryClient()
  const { mode } = useSession()
  const key = threadKey(mode, ticketId)
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => newestOf(queries, threadKey(mode, ticketId), ticketId, signal),
    // Events are not merged while the conversation is closed.
    staleTime: 0,
    refetchInterval: ({ state }) => {
      const newest = state.data?.messages.slice(-pageSize) ?? []
      if (newest.some(isAwaitingFile)) return 1_500
      // A fallback for when the event stream is disconnected.
      return newest.some(isOnItsWay) ? 5_000 : false
    },
  })
  const [isLoadingOlder, setLoadingOlder] = useState(false)
  const [olderError, setOlderError] = useState<unknown>()

  useEffect(
    () =>
      onEvent(({ type, data }) => {
        if (type.startsWith('message.')) putMessage(queries, mode, data.object as unknown as types.Message)
      }),
    [queries, mode],
  )

  const loadOlder = useCallback(async () => {
    const place = threadKey(mode, ticketId)
    setLoadingOlder(true)
    setOlderError(undefined)
    try {
      const offset = queries.getQueryData<Thread>(place)?.messages.length ?? 0
      const page = await api.inbox.listMessages(ticketId, { order: 'desc', limit: olderPageSize, offset })
      queries.setQueryData<Thread>(
        place,
        (thread) => thread && { messages: merged(thread.messages, page.messages), total: page.total },
      )
    } catch (error) {
      setOlderError(error)
    } finally {
      setLoadingOlder(false)
    }
  }, [queries, mode, ticketId])

  // The first messages take long to render. Deferred, a key or a click can interrupt that.
  const isShown = useDeferredValue(query.data !== undefined)
  const loaded = isShown ? query.data : undefined
  const messages = loaded?.messages ?? none
  return {
    messages,
    total: loaded?.total ?? 0,
    hasOlder: loaded !== undefined && messages.length < loaded.total,
    isLoading: !loaded && !query.error,
    error: query.data ? undefined : query.error,
    retry: () => void query.refetch(),
    isLoadingOlder,
    olderError,
    loadOlder,
  }
}
