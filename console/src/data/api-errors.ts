import { ApiError, ConnectionError } from '@frontdesk/sdk'
import { describeErrorsWith } from '../ui/error-text.ts'

describeErrorsWith((error) => {
  if (error instanceof ConnectionError) return 'Frontdesk cannot be reached. Check that it is running, then try again.'
  if (error instanceof ApiError) return error.detail
  return error instanceof Error ? error.message : String(error)
})
