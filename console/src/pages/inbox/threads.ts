import type { api as types } from '@frontdesk/sdk'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { api } from '../../app/api.ts'
import { onEvent } from '../../app/live.ts'
import { useSession } from '../../app/session.tsx'

/** As much of a conversation as is here: its newest messages, without gaps, oldest first. */
export interface Thread {
  messages: types.Message[]
  /** How many there are in all. */
  total: number
}

const pageSize = 50
const olderPageSize = 100
/** Who was away for longer than this many pages starts over. */
const mostPagesToCatchUp = 10

/** Not among the nouns that the live stream refetches: each event is put in its place instead. */
export const threadKey = (mode: string, ticketId: string) => [mode, 'threads', ticketId]

const isBefore = (a: types.Message, b: types.Message) =>
  a.created_at === b.created_at ? a.id < b.id : a.created_at < b.created_at

function merged(known: types.Message[], fresh: types.Message[]): types.Message[] {
  const byId = new Map(known.map((message) => [message.id, message]))
  let isChanged = false
  for (const message of fresh) {
    const before = byId.get(message.id)
    // Answers may overtake each other: the later state of a message stays. That its file has come does not change it.
    if (before && before.updated_at > message.updated_at) continue
    if (before?.updated_at === message.updated_at && before.media_size === message.media_size) continue
    byId.set(message.id, message)
    isChanged = true
  }
  return isChanged ? [...byId.values()].sort((a, b) => (isBefore(a, b) ? -1 : 1)) : known
}

/** How long the service may take to fetch a customer's file before one stops looking for it. */
const fileIsDueMs = 5 * 60_000

export const isAwaitingFile = ({ media_url, media_size, created_at }: types.Message): boolean =>
  media_url !== null && media_size === null && Date.now() - Date.parse(created_at) < fileIsDueMs

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
    // Looked at only now: events and older pages may have come in meanwhile.
    const known = queries.getQueryData<Thread>(key)?.messages ?? []
    const ids = new Set(known.map(({ id }) => id))
    const isWhole = fresh.length >= total
    if (known.length === 0 || isWhole || page.messages.some(({ id }) => ids.has(id)))
      return { messages: merged(known, fresh), total }
  }
  return { messages: merged([], fresh), total }
}

/** Puts a message in its place, where its conversation is on screen or was. */
export function putMessage(queries: QueryClient, mode: string, message: types.Message): void {
  if (!message.inbox_id) return
  queries.setQueryData<Thread>(threadKey(mode, message.inbox_id), (thread) => {
    if (!thread) return thread
    const isNew = !thread.messages.some(({ id }) => id === message.id)
    // Older than everything that is here: it comes with its page.
    if (isNew && thread.messages[0] && isBefore(message, thread.messages[0])) return thread
    const messages = merged(thread.messages, [message])
    return messages === thread.messages ? thread : { messages, total: thread.total + (isNew ? 1 : 0) }
  })
}

export function useThread(ticketId: string) {
  const queries = useQueryClient()
  const { mode } = useSession()
  const key = threadKey(mode, ticketId)
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => newestOf(queries, threadKey(mode, ticketId), ticketId, signal),
    // Messages that come while nobody looks are not put in their place.
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.messages.slice(-pageSize).some(isAwaitingFile) ? 1_500 : false),
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

  const messages = query.data?.messages ?? []
  return {
    messages,
    total: query.data?.total ?? 0,
    hasOlder: query.data !== undefined && messages.length < query.data.total,
    isLoading: query.isPending,
    error: query.data ? undefined : query.error,
    retry: () => void query.refetch(),
    isLoadingOlder,
    olderError,
    loadOlder,
  }
}
