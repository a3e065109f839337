import { ApiError } from '@frontdesk/sdk'
import { QueryClient } from '@tanstack/react-query'

/** The service often runs on the same machine, so requests are made without an internet connection too. */
const networkMode = 'always'

/** The SDK has already retried what is safe to retry. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      staleTime: 10_000,
      // A tab that regains the focus shows current records.
      refetchOnWindowFocus: true,
      throwOnError: false,
      networkMode,
    },
    mutations: { networkMode },
  },
})

export const isMissing = (error: unknown) => error instanceof ApiError && error.status === 404
