import { ApiError, type Client, type ClientOptions, createClient } from '@frontdesk/sdk'
import './api-errors.ts'

/** Everything the console knows of the service comes through here: the public API, with the cookie of the session. */

export type Mode = 'test' | 'live'

/**
 * What the person chose. Each tab keeps its own, over a reload too: what is chosen in another one must never change where
 * this one writes. A new tab begins with what was chosen last.
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

/** For signing in and out: a 401 there is an answer like any other. */
export const atTheDoor: Client = createClient({})

let refreshing: Promise<boolean> | undefined

/** Requests that fail together wait for one refresh. */
function refresh(): Promise<boolean> {
  refreshing ??= atTheDoor.signIn
    .refresh({})
    .then(
      () => true,
      (error) => {
        // A service that is away for a moment has not sent anybody out.
        if (error instanceof ApiError && error.status === 401) signedOut()
        return false
      },
    )
    .finally(() => {
      refreshing = undefined
    })
  return refreshing
}

/** The same person in the same organization, in a mode or by a way to fetch of its own. */
export const apiWith = (options: Pick<ClientOptions, 'mode' | 'fetch' | 'timeoutMs'>): Client =>
  createClient({ mode: choice.mode, organizationId: choice.organizationId, onUnauthorized: refresh, ...options })

const make = (): Client => apiWith({})

/** In the chosen organization and mode; whoever changes these asks for a new one. */
export let api: Client = make()
export const renewApi = () => {
  api = make()
}

/** The address of a file, for places where no header can be sent. */
export function fileAddress(path: string): string {
  const query = new URLSearchParams({ mode: choice.mode })
  if (choice.organizationId) query.set('organization_id', choice.organizationId)
  return `${path}${path.includes('?') ? '&' : '?'}${query}`
}
