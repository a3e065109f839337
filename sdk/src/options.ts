/** How the client reaches the service, and as whom. */
export interface ClientOptions {
  /** Where the service is, such as `https://frontdesk.example.com`. In a page: where the page came from. */
  baseUrl?: string
  /**
   * An API key or a person's access token, or how to get one for each request. Without it requests carry the cookie
   * of the page's own service.
   */
  apiKey?: string | (() => string | Promise<string>)
  /** For people who belong to several organizations. A key has its own. */
  organizationId?: string
  /** For people: which records they see. A key has its mode already. */
  mode?: 'test' | 'live'
  /** For each try, until its answer is complete; files and streams until they begin. */
  timeoutMs?: number
  /** How often a request is repeated after the first try. */
  maxRetries?: number
  /** The first pause before a repetition; each further one may be twice as long, up to 8 seconds. */
  retryDelayMs?: number
  /** Sent with every request. */
  headers?: Record<string, string>
  /** Another implementation of fetch: through a proxy, or one that writes down what it does. */
  fetch?: typeof fetch
  /** Called once when a request is refused with 401: renew the credential and answer true to try again. */
  onUnauthorized?: () => boolean | Promise<boolean>
  /** API keys are secrets, and whatever is in a page is not. True allows it all the same. */
  dangerouslyAllowKeyInBrowser?: boolean
}

/** What one call may ask for besides. */
export interface Options {
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
  maxRetries?: number | undefined
  /** Made up for every POST that writes, and kept over its repetitions; give one to keep it over restarts too. */
  idempotencyKey?: string | undefined
  headers?: Record<string, string> | undefined
}

/** For the operations that take a body and a query. */
export interface OptionsWithQuery<Query> extends Options {
  query: Query
}
