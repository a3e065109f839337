import { type Client, type ClientOptions, createClient } from '@frontdesk/sdk'

/** Everything the console knows of the service comes through here: the public API, with the cookie of the session. */

export type Mode = 'test' | 'live'

/** What the person chose. The mode lives with the tab, so that a reload keeps it and a new sign-in starts in test mode. */
export const choice = {
  get mode(): Mode {
    return sessionStorage.getItem('mode') === 'live' ? 'live' : 'test'
  },
  set mode(mode: Mode) {
    sessionStorage.setItem('mode', mode)
  },
  get organizationId(): string | undefined {
    return localStorage.getItem('organization') ?? undefined
  },
  set organizationId(id: string | undefined) {
    if (id) localStorage.setItem('organization', id)
    else localStorage.removeItem('organization')
  },
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
      () => {
        signedOut()
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
