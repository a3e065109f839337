import {
  ApiError,
  AuthenticationError,
  ConnectionError,
  errorOf,
  FrontdeskError,
  retryAfterSeconds,
  TimeoutError,
} from './errors.ts'
import { hasFile, toForm } from './form.ts'
import type { Operation } from './operation.ts'
import type { ClientOptions, Options } from './options.ts'

/** One call of an operation, with all parameters filled in. */
interface Call<Answer> {
  operation: Pick<Operation, 'method' | 'json' | 'form' | 'repeat'>
  /** Below `/api/v1`, without parameters. */
  path: string
  query?: object | undefined
  body?: unknown
  options: Options
  /** Reads the response; an error while reading counts as no response. */
  read(response: Response): Promise<Answer>
}

export interface Transport {
  send<Answer>(call: Call<Answer>): Promise<Answer>
}

const defaults = { timeoutMs: 60_000, maxRetries: 3, retryDelayMs: 500 }
const longestPauseMs = 8_000

/**
 * The service never asks for more than a minute; a longer Retry-After comes from another server and is not waited for.
 */
const longestRetryAfterSeconds = 60

export function createTransport(client: ClientOptions): Transport {
  const base = baseOf(client)
  refuseKeyInPage(client)
  const fetchIt = client.fetch ?? ((...request: Parameters<typeof fetch>) => fetch(...request))

  async function attempt<Answer>(call: Call<Answer>, url: string, headers: Headers, body: Body): Promise<Answer> {
    const { operation, options } = call
    const timeoutMs = options.timeoutMs ?? client.timeoutMs ?? defaults.timeoutMs
    const clock = new AbortController()
    const timer = setTimeout(() => clock.abort(), timeoutMs)
    const signal = options.signal ? AbortSignal.any([options.signal, clock.signal]) : clock.signal
    try {
      const response = await fetchIt(url, {
        method: operation.method,
        headers: await withCredential(client, headers),
        ...(body !== undefined && { body }),
        signal,
        credentials: client.apiKey === undefined ? 'same-origin' : 'omit',
        // A redirect would turn a POST into a GET, or send it to another server.
        redirect: 'error',
      })
      if (!response.ok) throw await errorOf(response)
      return await call.read(response)
    } catch (error) {
      options.signal?.throwIfAborted()
      const what = `${operation.method} ${url}`
      if (clock.signal.aborted) throw new TimeoutError(`${what} was not answered within ${timeoutMs} ms`)
      if (error instanceof FrontdeskError) throw error
      throw new ConnectionError(`${what} got no answer: ${causeOf(error)}`, { cause: error })
    } finally {
      clearTimeout(timer)
    }
  }

  // Many requests may get 401 at once: the credential is renewed once for all that were sent with the old one.
  let renewals = 0
  let renewing: Promise<boolean> | undefined
  async function renew(sentAfter: number): Promise<boolean> {
    if (sentAfter !== renewals) return true
    renewing ??= Promise.resolve(client.onUnauthorized?.() ?? false).finally(() => {
      renewing = undefined
    })
    const isRenewed = await renewing
    if (isRenewed && sentAfter === renewals) renewals++
    return isRenewed
  }

  return {
    async send(call) {
      const { operation, options } = call
      options.signal?.throwIfAborted()
      const url = base + call.path + searchOf(call.query)
      const headers = new Headers({ accept: 'application/json', ...client.headers, ...options.headers })
      if (operation.repeat === 'keyed') headers.set('idempotency-key', options.idempotencyKey ?? newKey())
      const body = await bodyOf(call, headers)
      const maxRetries = options.maxRetries ?? client.maxRetries ?? defaults.maxRetries
      let renewed = false
      for (let tries = 0; ; ) {
        const sentAfter = renewals
        try {
          return await attempt(call, url, headers, body)
        } catch (error) {
          // The renewal itself may be a sign-in request, and must not wait for itself.
          if (error instanceof AuthenticationError && !renewed && operation.repeat !== 'unsafe') {
            renewed = true
            if (await renew(sentAfter)) continue
          }
          if (tries >= maxRetries || !isWorthRepeating(error, operation.repeat)) throw error
          await pause(pauseAfter(error, tries++, client.retryDelayMs), options.signal)
        }
      }
    },
  }
}

/** Not randomUUID: pages loaded over plain http do not have it. */
const newKey = () =>
  Array.from(globalThis.crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )

type Body = string | FormData | undefined

async function bodyOf({ operation, body }: Call<unknown>, headers: Headers): Promise<Body> {
  if (body === undefined) return undefined
  if (operation.form && (!operation.json || hasFile(body as object))) return toForm(body as object)
  headers.set('content-type', 'application/json')
  return JSON.stringify(body)
}

async function withCredential({ apiKey, organizationId, mode }: ClientOptions, given: Headers): Promise<Headers> {
  const headers = new Headers(given)
  if (apiKey !== undefined) {
    const token = typeof apiKey === 'function' ? await apiKey() : apiKey
    headers.set('authorization', `Bearer ${token}`)
  }
  // Browsers send cookies automatically; this header proves that the request comes from our own page (CSRF).
  else headers.set('x-frontdesk', 'sdk')
  if (organizationId !== undefined) headers.set('x-organization-id', organizationId)
  if (mode !== undefined) headers.set('x-mode', mode)
  return headers
}

/** Whether the same request may be sent again with a chance of success. */
export function isWorthRepeating(error: unknown, repeat: Operation['repeat']): boolean {
  if (error instanceof ConnectionError) return repeat !== 'unsafe'
  if (!(error instanceof ApiError) || error.headers.get('idempotent-replayed')) return false
  if ((retryAfterSeconds(error.headers) ?? 0) > longestRetryAfterSeconds) return false
  // The request was refused before it was processed.
  if (error.status === 429) return true
  // An earlier attempt, whose response was lost, is still running: Retry-After says when to try again.
  if (error.status === 409) return repeat === 'keyed' && error.headers.has('retry-after')
  return repeat !== 'unsafe' && (error.status === 408 || (error.status >= 500 && error.status !== 501))
}

/** The delay the service asks for; otherwise exponential backoff with jitter, so that clients do not retry in step. */
export function pauseAfter(error: unknown, tries: number, firstPauseMs = defaults.retryDelayMs): number {
  const asked = error instanceof ApiError ? retryAfterSeconds(error.headers) : undefined
  if (asked !== undefined) return asked * 1000 + Math.random() * firstPauseMs
  return Math.min(longestPauseMs, firstPauseMs * 2 ** tries) * (0.5 + Math.random() / 2)
}

export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, ms)
    signal?.addEventListener('abort', end, { once: true })
    if (signal?.aborted) end()
  })
}

function searchOf(query: object | undefined): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {}))
    for (const each of [value].flat()) if (each !== undefined && each !== null) search.append(name, String(each))
  return search.size > 0 ? `?${search}` : ''
}

function baseOf({ baseUrl }: ClientOptions): string {
  const { location } = globalThis as { location?: { origin: string } }
  const url = baseUrl ?? location?.origin
  if (!url || !URL.canParse(url))
    throw new FrontdeskError('baseUrl must say where the service is, such as https://frontdesk.example.com')
  return `${url.replace(/\/+$/, '')}/api/v1`
}

function refuseKeyInPage({ apiKey, dangerouslyAllowKeyInBrowser }: ClientOptions): void {
  if ('document' in globalThis && typeof apiKey === 'string' && apiKey.startsWith('svc_sk_'))
    if (!dangerouslyAllowKeyInBrowser)
      throw new FrontdeskError('An API key in a page is everybody’s: sign people in, and leave apiKey out')
}

/** fetch only says "fetch failed"; the reason is in its cause. */
function causeOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error ? `${message} (${cause.message})` : message
}
