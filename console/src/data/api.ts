import { ApiError, type Client, type ClientOptions, createClient } from '@frontdesk/sdk'
import './api-errors.ts'

/** The console's only access to the service: the public API, authenticated by the session cookie. */

export type Mode = 'test' | 'live'

/**
 * The chosen mode and organization. Each tab keeps its own, also across reloads: a choice in another tab must never
 * change where this one writes. A new tab starts with the last choice.
 */
export const choice = {
  get mode(): Mode {
    return kept('mode') === 'live' ? 'live' : 'test'
  },
  set mode(mode: Mode) {
    keep('mode', mode)
  },
  get organizationId(): string | undefined {
    return kept('organization') || undefined
  },
  set organizationId(id: string | undefined) {
    keep('organization', id ?? '')
  },
}

function kept(name: string): string {
  const own = sessionStorage.getItem(name)
  if (own !== null) return own
  const last = localStorage.getItem(name) ?? ''
  sessionStorage.setItem(name, last)
  return last
}

function keep(name: string, value: string): void {
  for (const storage of [sessionStorage, localStorage]) storage.setItem(name, value)
}

let signedOut = () => {}
export const onSignedOut = (listener: () => void) => {
  signedOut = listener
}

/** Client for signing in and out, where a 401 does not trigger a refresh. */
export const signInApi: Client = createClient({})

let refreshing: Promise<boolean> | undefined

/** Requests that fail at the same time share one refresh. */
function refresh(): Promise<boolean> {
  refreshing ??= signInApi.signIn
    .refresh({})
    .then(
      () => true,
      (error) => {
        // Only a 401 ends the session. A service that is briefly unreachable does not.
        if (error instanceof ApiError && error.status === 401) signedOut()
        return false
      },
    )
    .finally(() => {
      refreshing = undefined
    })
  return refreshing
}

/** A client for the current session with its own mode, fetch or timeout. */
export const apiWith = (options: Pick<ClientOptions, 'mode' | 'fetch' | 'timeoutMs'>): Client =>
  createClient({ mode: choice.mode, organizationId: choice.organizationId, onUnauthorized: refresh, ...options })

const make = (): Client => apiWith({})

/** The client for the chosen organization and mode. Call `renewApi` after changing either. */
export let api: Client = make()
export const renewApi = () => {
  api = make()
}

/** The URL of a file, for elements that cannot send headers. */
export function fileAddress(path: string): string {
  const query = new URLSearchParams({ mode: choice.mode })
  if (choice.organizationId) query.set('organization_id', choice.organizationId)
  return `${path}${path.includes('?') ? '&' : '?'}${query}`
}
