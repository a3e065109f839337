/** A message with something to tap. Each type uses the members that its comment names, besides `body`. */
export interface InteractiveMessage {
  type: /** `buttons`; optional `header` and `footer`. */
    | 'button'
    /** `label` and `sections` with `rows`; optional text `header` and `footer`. */
    | 'list'
    /** `label` and `url`; optional `header` and `footer`. */
    | 'cta_url'
    | 'location_request_message'
    /** `label` and `flow`; optional text `header` and `footer`. */
    | 'flow'
    /** `catalog_id` and `product_retailer_id`; optional `footer`. The body is optional too. */
    | 'product'
    /** Text `header`, `catalog_id` and `sections` with `product_retailer_ids`; optional `footer`. */
    | 'product_list'
  body: string
  header?: { type: 'text' | 'image' | 'video' | 'document'; text?: string; link?: string }
  footer?: string
  buttons?: { id: string; title: string }[]
  /** The text of the button that opens the list, the link or the flow. */
  label?: string
  url?: string
  sections?: {
    title?: string
    rows?: { id: string; title: string; description?: string }[]
    product_retailer_ids?: string[]
  }[]
  flow?: {
    id?: string
    name?: string
    token?: string
    mode?: 'draft' | 'published'
    action?: 'navigate' | 'data_exchange'
    screen?: string
    data?: Record<string, unknown>
  }
  catalog_id?: string
  product_retailer_id?: string
}
