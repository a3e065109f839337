import { ApiError, ConnectionError } from '@frontdesk/sdk'
import { describeErrorsWith } from '../ui/error-text.ts'

/** The name that some errors have besides their status. */
export const errorCode = (error: unknown): string | undefined => {
  const body = error instanceof ApiError ? (error.body as { error?: { code?: string }; code?: string } | null) : null
  return body?.error?.code ?? body?.code
}

/** Whether the sign-in has to be repeated with a code of the second factor. */
export const needsCode = (error: unknown): boolean => errorCode(error) === 'second_factor_required'

describeErrorsWith((error) => {
  if (error instanceof ConnectionError) return 'Frontdesk cannot be reached. Check that it is running, then try again.'
  if (error instanceof ApiError) return error.detail
  return error instanceof Error ? error.message : String(error)
})
