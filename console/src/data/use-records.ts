import { keepPreviousData, type QueryKey, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSession } from './session.tsx'

/** Every query key starts with the mode, so that test and live records never mix. */
export function useRecord<T>(
  key: QueryKey,
  ask: (signal: AbortSignal) => PromiseLike<T>,
  options: {
    /** Polling, for state that changes without an event. */
    refetchInterval?: number | ((data: T | undefined) => number | false)
    enabled?: boolean
    staleTime?: number
    /** A copy from a list, shown until the record is loaded. */
    initialData?: T
    initialDataUpdatedAt?: number
  } = {},
) {
  const { mode } = useSession()
  const { refetchInterval } = options
  return useQuery({
    queryKey: [mode, ...key],
    queryFn: async ({ signal }) => ask(signal),
    placeholderData: keepPreviousData,
    ...options,
    refetchInterval:
      typeof refetchInterval === 'function' ? ({ state }) => refetchInterval(state.data) : (refetchInterval ?? false),
  })
}

interface CursorPage<T> {
  data: T[]
  has_more: boolean
  next_cursor: string | null
  total_count: number
}

/** A list that loads further pages with the API's cursor. */
export function useCursorList<T>(
  key: QueryKey,
  ask: (startingAfter: string | undefined, signal: AbortSignal) => PromiseLike<CursorPage<T>>,
  options: {
    enabled?: boolean
    /** Polling; rows keep their positions. */
    refetchInterval?: number | ((rows: T[]) => number | false)
  } = {},
) {
  const { mode } = useSession()
  const { enabled, refetchInterval } = options
  const query = useInfiniteQuery({
    // Cached pages have another shape than a single response, so they never share a key with `useRecord`.
    queryKey: [mode, ...key, 'pages'],
    queryFn: async ({ pageParam, signal }) => ask(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.has_more ? (page.next_cursor ?? undefined) : undefined),
    placeholderData: keepPreviousData,
    ...(enabled !== undefined && { enabled }),
    refetchInterval: ({ state }) =>
      typeof refetchInterval === 'function'
        ? refetchInterval(state.data?.pages.flatMap(({ data }) => data) ?? [])
        : (refetchInterval ?? false),
  })
  return {
    ...query,
    rows: query.data?.pages.flatMap(({ data }) => data) ?? [],
    total: query.data?.pages[0]?.total_count,
  }
}

/** Reloads the records whose keys begin with one of these; `[]` reloads all. Records not on the screen reload when shown. */
export function useRefresh(...keys: (string | QueryKey)[]) {
  const { mode } = useSession()
  const queries = useQueryClient()
  return async (): Promise<void> => {
    await Promise.all(keys.map((key) => queries.invalidateQueries({ queryKey: [mode, ...[key].flat()] })))
  }
}
