import { isObject, type Part } from './message-part.ts'

/**
 * What a person's phone sends when they tap on an `interactive` message: a choice, named by its title or id, the
 * answers of a form, a location, an order, or whether the business may call. Without the message, the tap is on a
 * button of that name.
 */
export function tapOn(offer: Part | undefined, wanted: string | undefined): Part {
  const action = isObject(offer?.action) ? offer.action : {}
  const parameters = isObject(action.parameters) ? action.parameters : {}
  switch (offer?.type) {
    case 'location_request_message':
      return { type: 'location' }
    case 'flow': {
      const answers = { flow_token: parameters.flow_token ?? 'unused', ...(wanted && { answer: wanted }) }
      const reply = { name: 'flow', body: 'Sent', response_json: JSON.stringify(answers) }
      return { type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply: reply } }
    }
    case 'product':
    case 'product_list': {
      const [product_retailer_id] = productsIn(action)
      const item = { product_retailer_id, quantity: 1, item_price: 12.5, currency: 'USD' }
      return { type: 'order', order: { catalog_id: action.catalog_id, text: wanted ?? '', product_items: [item] } }
    }
    case 'call_permission_request': {
      const response = String((wanted ? choiceIn(offer, wanted) : callChoices[0])?.id ?? 'reject')
      const expiration_timestamp = Math.floor(Date.now() / 1000) + callPermissionSeconds
      const until = response === 'accept' && { is_permanent: false, expiration_timestamp }
      const reply = { response, response_source: 'user_action', ...until }
      return { type: 'interactive', interactive: { type: 'call_permission_reply', call_permission_reply: reply } }
    }
    default: {
      const chosen = offer && (wanted ? choiceIn(offer, wanted) : choicesIn(offer)[0])
      const title = wanted || 'Yes'
      const reply = chosen ?? { id: title.toLowerCase(), title }
      const type = offer?.type === 'list' && chosen ? 'list_reply' : 'button_reply'
      return { type: 'interactive', interactive: { type, [type]: reply } }
    }
  }
}

/** What a person can answer to a call permission request, which names no choices itself. */
const callChoices: Part[] = [
  { id: 'accept', title: 'Allow calls' },
  { id: 'reject', title: 'Decline calls' },
]
/** A permission that is not permanent ends after seven days. */
const callPermissionSeconds = 7 * 24 * 3600

const partsIn = (value: unknown): Part[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** The buttons or rows of a message. */
export function choicesIn({ type, action }: Part): Part[] {
  if (type === 'call_permission_request') return callChoices
  const { buttons, sections } = isObject(action) ? action : ({} as Part)
  return [...partsIn(buttons).map(({ reply }) => reply), ...partsIn(sections).flatMap(({ rows }) => rows)].filter(
    isObject,
  )
}

/** The choice with this title or id. */
export const choiceIn = (offer: Part, wanted: string): Part | undefined =>
  choicesIn(offer).find(({ id, title }) => id === wanted || title === wanted)

const productsIn = ({ product_retailer_id: only, sections }: Part): unknown[] => [
  ...(only === undefined ? [] : [only]),
  ...partsIn(sections).flatMap(({ product_items }) => partsIn(product_items).map((item) => item.product_retailer_id)),
]
