import { ApiError } from '@frontdesk/sdk'
import { QueryClient } from '@tanstack/react-query'

/** The SDK repeats what may be repeated: what comes through here has been tried enough. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      staleTime: 10_000,
      // A page that a person came back to is up to date.
      refetchOnWindowFocus: true,
      throwOnError: false,
    },
  },
})

export const isMissing = (error: unknown) => error instanceof ApiError && error.status === 404
