import type { ErrorShape } from '../../platform/http/error-shape.ts'

/** Calls and call logs have their own text for 401. */
export const callErrors: ErrorShape = {
  paths: ['/calls', '/call-logs'],
  name: 'calls',
  bodyOf: ({ status }, general) =>
    status === 401 ? { ...general, detail: 'Could not validate credentials' } : general,
}
