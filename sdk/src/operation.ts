/** What the client has to know to call an operation. */
export interface Operation {
  method: string
  /** Below `/api/v1`, with its parameters in braces. */
  path: string
  query?: true
  /** The request body: JSON, a form, or either. */
  json?: true
  form?: true
  /** The kind of response; JSON by default. */
  answer?: 'file' | 'events'
  list?: Paging
  /** `safe` to retry, safe with its Idempotency-Key, or not to be retried once it was sent. */
  repeat: 'safe' | 'keyed' | 'unsafe'
}

export interface Paging {
  by: 'cursor' | 'offset' | 'page'
  /** Which member of a page holds its items. */
  items: string
  /** Which query parameter sets the page size. */
  size: string
}
