/** How the client reaches the service, and with which credential. */
export interface ClientOptions {
  /** URL of the service, such as `https://frontdesk.example.com`. Default in a browser: the page's origin. */
  baseUrl?: string
  /**
   * An API key, a person's access token, or a function that returns one for each request. Without it requests use the
   * page's session cookie.
   */
  apiKey?: string | (() => string | Promise<string>)
  /** For people who belong to several organizations. An API key belongs to one. */
  organizationId?: string | undefined
  /** For people: which records they see. An API key has its own mode. */
  mode?: 'test' | 'live'
  /** Timeout of each attempt, until its response is complete; for files and streams, until the response begins. */
  timeoutMs?: number
  /** How often a request is retried after the first attempt. */
  maxRetries?: number
  /** The first delay before a retry; it doubles each time, up to 8 seconds. */
  retryDelayMs?: number
  /** Sent with every request. */
  headers?: Record<string, string>
  /** Another implementation of fetch, for example with a proxy or logging. */
  fetch?: typeof fetch
  /** Called once when a request gets 401: renew the credential and return true to retry. */
  onUnauthorized?: () => boolean | Promise<boolean>
  /** API keys are secrets, and a page's content is public. Set true to allow a key in a browser anyway. */
  dangerouslyAllowKeyInBrowser?: boolean
}

/** Options of a single call. */
export interface Options {
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
  maxRetries?: number | undefined
  /** Generated for every POST that writes and reused by its retries; pass your own to keep it across restarts. */
  idempotencyKey?: string | undefined
  headers?: Record<string, string> | undefined
}

/** For operations that take both a body and a query. */
export interface OptionsWithQuery<Query> extends Options {
  query: Query
}
