import { ApiError } from '@frontdesk/sdk'
import { QueryClient } from '@tanstack/react-query'

/** A service of one's own is often on this very machine: without the internet it is there all the same. */
const networkMode = 'always'

/** The SDK repeats what may be repeated: what comes through here has been tried enough. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      staleTime: 10_000,
      // A page that a person came back to is up to date.
      refetchOnWindowFocus: true,
      throwOnError: false,
      networkMode,
    },
    mutations: { networkMode },
  },
})

export const isMissing = (error: unknown) => error instanceof ApiError && error.status === 404
