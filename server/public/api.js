/** Everything the pages know of the service comes through here: the public API, with the cookie of the session. */

export class ApiError extends Error {
  constructor(status, body) {
    super(messageOf(status, body))
    this.status = status
    this.body = body
    this.faults = Array.isArray(body?.detail) ? body.detail : []
  }
}

function messageOf(status, body) {
  if (status === 0) return 'Frontdesk cannot be reached. Check that it is running, then try again.'
  const { detail, message } = body ?? {}
  if (Array.isArray(detail)) return detail.map(({ msg }) => msg).join('; ')
  return detail ?? message ?? `Something went wrong (status ${status}).`
}

/** What the person chose lives with the tab, so that a reload keeps it and a new sign-in starts in test mode. */
export const session = {
  me: undefined,
  get mode() {
    return sessionStorage.getItem('mode') === 'live' ? 'live' : 'test'
  },
  set mode(mode) {
    sessionStorage.setItem('mode', mode)
  },
  get organizationId() {
    return localStorage.getItem('organization')
  },
  set organizationId(id) {
    if (id) localStorage.setItem('organization', id)
    else localStorage.removeItem('organization')
  },
}

let signedOut = () => {}
export const onSignedOut = (listener) => {
  signedOut = listener
}

/** One request as it is, for signing in and out: a 401 there is an answer like any other. */
export async function send(method, path, body, headers = {}) {
  let answer
  try {
    answer = await fetch(`/api/v1/${path}`, {
      method,
      headers: {
        ...headers,
        ...(method !== 'GET' && { 'X-Frontdesk': '1' }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      body: JSON.stringify(body),
    })
  } catch {
    throw new ApiError(0)
  }
  const json = await answer.json().catch(() => undefined)
  if (!answer.ok) throw new ApiError(answer.status, json)
  return json
}

/** One request in the chosen organization and mode; an ended access token is renewed once, unnoticed. */
export async function call(method, path, body) {
  const headers = { 'X-Mode': session.mode }
  if (session.organizationId) headers['X-Organization-Id'] = session.organizationId
  try {
    return await send(method, path, body, headers)
  } catch (error) {
    if (error.status !== 401) throw error
  }
  try {
    await refresh()
    return await send(method, path, body, headers)
  } catch (error) {
    if (error.status === 401) signedOut()
    throw error
  }
}

let refreshing

/** Requests that fail together wait for one refresh. */
function refresh() {
  refreshing ??= send('POST', 'auth/refresh', {}).finally(() => {
    refreshing = undefined
  })
  return refreshing
}

/** Who is here. Somebody who belongs to several organizations has to name one before anything else is answered. */
export async function whoAmI() {
  try {
    session.me = await call('GET', 'me')
  } catch (error) {
    if (error.status !== 400) throw error
    const { organizations } = await refresh()
    session.organizationId = organizations[0]?.id
    session.me = await call('GET', 'me')
  }
  return session.me
}
