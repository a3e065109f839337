/** What the client has to know of an operation to call it. */
export interface Operation {
  method: string
  /** Below `/api/v1`, with its parameters in braces. */
  path: string
  query?: true
  /** It takes a JSON body, a form, or either. */
  json?: true
  form?: true
  /** What comes back; JSON unless said. */
  answer?: 'file' | 'events'
  list?: Paging
  /** `safe` to repeat, safe with its Idempotency-Key, or not to be repeated once it was sent. */
  repeat: 'safe' | 'keyed' | 'unsafe'
}

export interface Paging {
  by: 'cursor' | 'offset' | 'page'
  /** Which member of a page holds its items. */
  items: string
  /** Which query parameter says how many items a page has. */
  size: string
}
