import type { api as types } from '@frontdesk/sdk'
import { notifications } from '@mantine/notifications'
import { keepPreviousData, type QueryClient, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { api } from '../../data/api.ts'
import { onEvent } from '../../data/live.ts'
import { useMe, useSession } from '../../data/session.tsx'
import { useRecord } from '../../data/use-records.ts'
import { releaseNow } from '../../records/messages/outbox.ts'
import { errorText } from '../../ui/error-text.ts'

export type Ticket = types.TicketWithContact

export const nameOf = ({ contact }: Pick<Ticket, 'contact'>): string =>
  contact.name || contact.phone_number || 'Unknown number'

/** The filters of the list, kept in the address. */
export function useTicketFilters() {
  const [search, setSearch] = useSearchParams()
  const set = useCallback(
    (changes: Record<string, string | undefined>) => {
      // The address itself: the parameters of the last rendering may lack a change made a moment ago.
      const next = new URLSearchParams(window.location.search)
      for (const [name, value] of Object.entries(changes)) {
        if (value) next.set(name, value)
        else next.delete(name)
      }
      setSearch(next, { replace: true })
    },
    [setSearch],
  )
  const me = useMe().user?.id
  return useMemo(() => filtersOf(search, me, set), [search, me, set])
}

function filtersOf(
  search: URLSearchParams,
  me: string | undefined,
  set: (changes: Record<string, string | undefined>) => void,
) {
  const read = (name: string) => search.get(name) ?? ''
  const status = search.get('status') ?? 'open'
  const text = read('search')
  const canSort = status === 'open' && text === ''
  return {
    status,
    /** The queue among open conversations; none while closed ones or all are listed. */
    queue: status === 'open' ? read('queue') || 'all' : '',
    /** The saved view that set the filters. */
    view: read('view'),
    assignee: read('assignee'),
    team: read('team'),
    unread: read('unread') === 'true',
    priority: read('priority'),
    tag: read('tag'),
    sort: canSort ? read('sort') : '',
    canSort,
    search: text,
    kept: keptBy(search, me),
    /** The query string for links between tickets, which keeps the filters. */
    suffix: suffixOf(search),
    set,
    /** Replaces all filters. */
    choose: (wanted: Record<string, string | undefined>) => set({ ...none, ...wanted }),
    isFiltered: further.some((name) => search.get(name)),
    clear: () => set(Object.fromEntries(further.map((name) => [name, undefined]))),
  }
}

/** Filters besides the queue and the status. */
const further = ['search', 'assignee', 'team', 'unread', 'priority', 'tag']
const none = Object.fromEntries(['queue', 'status', 'view', 'sort', ...further].map((name) => [name, undefined]))

/** The filters in the address, as the API takes them. */
function keptBy(search: URLSearchParams, me: string | undefined): types.ViewFilters {
  const read = (name: string) => search.get(name) || undefined
  const [status, text, assignee, sort] = [read('status') ?? 'open', read('search'), read('assignee'), read('sort')]
  const assigneeId = assignee === 'me' ? me : assignee
  const wanted = {
    ...(status === 'open' ? { queue: read('queue') ?? 'all' } : status === 'closed' && { status }),
    assignee_id: assigneeId,
    team_id: read('team'),
    unread: read('unread') === 'true' ? true : undefined,
    priority: read('priority'),
    tag: read('tag'),
    search: text,
    sort: status === 'open' && !text ? sort : undefined,
  }
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)) as types.ViewFilters
}

export type TicketFilters = ReturnType<typeof useTicketFilters>

function suffixOf(search: URLSearchParams): string {
  const kept = new URLSearchParams(search)
  kept.delete('panel')
  return kept.size > 0 ? `?${kept}` : ''
}

const firstPage = 40
/** Later pages are larger, because every loaded page is refetched on changes. */
const furtherPage = 100

export function useTickets({ kept: filter }: TicketFilters) {
  const { mode } = useSession()
  const queries = useQueryClient()
  const queryKey = useMemo(() => [mode, 'tickets', 'list', filter], [mode, filter])
  const query = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam, signal }) =>
      api.inbox.listTickets(
        { ...filter, limit: pageParam === 0 ? firstPage : furtherPage, offset: pageParam },
        { signal },
      ),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const shown = pages.reduce((sum, { size }) => sum + size, 0)
      return last.size > 0 && shown < last.total ? shown : undefined
    },
    placeholderData: keepPreviousData,
  })
  const { fetchNextPage: fetchPage } = query
  /** Loading a page cancels a refetch under way, whose changes would be lost: it is made up for afterwards. */
  const fetchNextPage = useCallback(async () => {
    const { fetchStatus, isInvalidated } = queries.getQueryState(queryKey) ?? {}
    const { isError } = await fetchPage()
    // After a failure the list stays invalidated, and a refetch would hide the button that tries again.
    if (!isError && (fetchStatus === 'fetching' || isInvalidated))
      await queries.invalidateQueries({ queryKey, exact: true })
  }, [queries, queryKey, fetchPage])
  useEffect(
    () =>
      onEvent(({ type, data }) => {
        if (type.startsWith('message.')) putPreview(queries, mode, data.object as unknown as types.Message)
      }),
    [queries, mode],
  )
  const pages = query.data?.pages
  // A ticket that moves up while pages are loaded appears twice.
  const rows = useMemo(
    () => [...new Map((pages ?? []).flatMap(({ inboxes }) => inboxes).map((ticket) => [ticket.id, ticket])).values()],
    [pages],
  )
  return { ...query, fetchNextPage, rows, total: pages?.[0]?.total }
}

/** Starts from the row of the list, so that the conversation opens while the ticket is requested. */
export function useTicket(id: string) {
  const queries = useQueryClient()
  const { mode } = useSession()
  const listed = useMemo(() => {
    const lists = queries.getQueryCache().findAll({ queryKey: [mode, 'tickets', 'list'] })
    // Lists of other filters may be old.
    const isUsed = (query: (typeof lists)[number]) => Number(query.isActive())
    for (const query of lists.sort((one, other) => isUsed(other) - isUsed(one))) {
      const pages = (query.state.data as Pages | undefined)?.pages ?? []
      const ticket = pages.flatMap(({ inboxes }) => inboxes).find((each) => each.id === id)
      if (ticket) return ticket
    }
    return undefined
  }, [queries, mode, id])
  return useRecord(['tickets', 'one', id], (signal) => api.inbox.getTicket(id, { signal }), {
    // Old from the start: it is requested at once.
    ...(listed && { initialData: listed, initialDataUpdatedAt: 0 }),
  })
}

type Pages = { pages: { inboxes: Ticket[] }[] }

/** Changes all cached copies of a ticket. */
function changeCopies(queries: QueryClient, mode: string, id: string, change: (ticket: Ticket) => Ticket): void {
  queries.setQueryData<Ticket>([mode, 'tickets', 'one', id], (ticket) => ticket && change(ticket))
  queries.setQueriesData<Pages>(
    { queryKey: [mode, 'tickets', 'list'] },
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({
          ...page,
          inboxes: page.inboxes.map((ticket) => (ticket.id === id ? change(ticket) : ticket)),
        })),
      },
  )
}

/**
 * Shows a change before it is saved. A refetch under way would bring the state before the change back; the caller
 * invalidates tickets once the change is saved.
 */
export function patchTicketOptimistically(
  queries: QueryClient,
  mode: string,
  id: string,
  changes: Partial<Ticket>,
): void {
  const isLoaded = ({ state }: { state: { data: unknown } }) => state.data !== undefined
  void queries.cancelQueries({ queryKey: [mode, 'tickets'], predicate: isLoaded })
  patchTicket(queries, mode, id, changes)
}

export const patchTicket = (queries: QueryClient, mode: string, id: string, changes: Partial<Ticket>): void =>
  changeCopies(queries, mode, id, (ticket) => ({ ...ticket, ...changes }))

/** Updates the preview of an edited, deleted or delivered message. The refetch after the event comes later and can fail. */
function putPreview(queries: QueryClient, mode: string, { id, inbox_id, body, revoked, status }: types.Message): void {
  const preview = revoked ? 'Message deleted' : body.slice(0, 120)
  changeCopies(queries, mode, inbox_id ?? '', (ticket) =>
    ticket.last_message?.id === id ? { ...ticket, last_message: { ...ticket.last_message, preview, status } } : ticket,
  )
}

/** Updates a ticket. The change shows at once and is reverted with a message if it fails. */
export function useTicketChange() {
  const queries = useQueryClient()
  const { mode } = useSession()
  return useCallback(
    async (before: Ticket, changes: types.TicketChanges): Promise<boolean> => {
      const { inbox } = api
      // The customer gets the last reply before the request for a rating.
      if (changes.status === 'closed') await releaseNow(before.id)
      patchTicketOptimistically(queries, mode, before.id, changes)
      try {
        await inbox.updateTicket(before.id, changes)
        return true
      } catch (error) {
        patchTicket(queries, mode, before.id, before)
        complain('Could not update the conversation', error)
        return false
      } finally {
        void queries.invalidateQueries({ queryKey: [mode, 'tickets'] })
      }
    },
    [queries, mode],
  )
}

export const complain = (title: string, error: unknown) =>
  notifications.show({ color: 'red', title, message: errorText(error) })
