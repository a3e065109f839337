import { ApiError } from '@frontdesk/sdk'
import { QueryCache, QueryClient } from '@tanstack/react-query'
import { errorCode } from './api-errors.ts'

/** The service often runs on the same machine, so requests are made without an internet connection too. */
const networkMode = 'always'

let suspended = () => {}
/** Called when a request is refused because the organization is suspended. */
export const onSuspended = (listener: () => void) => {
  suspended = listener
}

/** The SDK has already retried what is safe to retry. */
export const queries = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (errorCode(error) === 'organization_suspended') suspended()
    },
  }),
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
