import { isUuid } from '../../../platform/ids.ts'
import type { TemplateVariables } from '../schema.ts'
import type { TemplateComponents } from './parts.ts'
import { type Slot, slotsOf, valueFor } from './slots.ts'
import { flowDataIn, instantIn, isLink, sectionsIn } from './structured-values.ts'

type Json = Record<string, unknown>

/** A stored file as the platform knows it. */
export interface PlatformMedia {
  id: string
  fileName: string
}
type Uploaded = ReadonlyMap<string, PlatformMedia>
const noneUploaded: Uploaded = new Map()

/** The stored files that a message sends, by their ids. Other values are URLs, or media ids of the platform. */
export const storedMediaIn = (components: TemplateComponents, values: TemplateVariables): string[] =>
  slotsOf(components).flatMap((slot) => {
    const value = slot.kind === 'media' ? valueFor(slot, values) : undefined
    return value !== undefined && isUuid(value) ? [value] : []
  })

/** The slots of one component of a message. */
interface Place {
  /** The card of a carousel that it is on. */
  card: string | undefined
  type: string
  /** Of a button. */
  index: string | undefined
  slots: Slot[]
}

const known = new WeakMap<TemplateComponents, Place[]>()

function placesOf(components: TemplateComponents): Place[] {
  const places = known.get(components) ?? [...Map.groupBy(slotsOf(components), ({ where }) => where)].map(toPlace)
  known.set(components, places)
  return places
}

function toPlace([where, slots]: [string, Slot[]]): Place {
  const [, card, type = '', index] = /^(?:card\.(\d+)\.)?(\w+)(?:\.(\d+))?$/.exec(where) ?? []
  return { card, type, index, slots }
}

/** The parameters for the platform. Throws when a value is missing or unusable: nothing blank is ever sent. */
export function parametersOf(
  { components }: { components: TemplateComponents },
  values: TemplateVariables,
  uploaded = noneUploaded,
): Json[] {
  const own: Json[] = []
  const cards = new Map<string, Json[]>()
  for (const { card, type, index, slots } of placesOf(components)) {
    const parameters = parametersAt(slots, values, uploaded)
    if (parameters.length === 0) continue
    const sub_type = subTypes[slots[0]?.kind as Slot['kind']]
    const component = index === undefined ? { type, parameters } : { type: 'button', sub_type, index, parameters }
    if (card === undefined) own.push(component)
    else cards.set(card, [...(cards.get(card) ?? []), component])
  }
  if (cards.size > 0)
    own.push({
      type: 'carousel',
      cards: [...cards].map(([card, parts]) => ({ card_index: Number(card), components: parts })),
    })
  return own
}

const subTypes: Partial<Record<Slot['kind'], string>> = {
  url: 'url',
  otp: 'url',
  code: 'copy_code',
  payload: 'quick_reply',
  flow: 'flow',
  catalog: 'catalog',
  products: 'mpm',
}

/** All slots of a place have the same kind. */
function parametersAt(slots: Slot[], values: TemplateVariables, uploaded: Uploaded): Json[] {
  const [first] = slots as [Slot]
  const given = Object.fromEntries(slots.map((slot) => [slot.name, valueFor(slot, values)]))
  const value = first.isOptional ? '' : needed(first, values)
  switch (first.kind) {
    case 'text':
    case 'url':
    case 'otp':
      return slots.map((slot) => textParameter(slot, needed(slot, values)))
    case 'code':
      return [{ type: 'coupon_code', coupon_code: value }]
    case 'media':
      return [mediaParameter(first.format as string, value, uploaded)]
    case 'location': {
      const { latitude, longitude, name, address } = given
      if (!latitude || !longitude) throw new Error(`${first.where} has no value`)
      return [
        { type: 'location', location: { latitude, longitude, ...(name && { name }), ...(address && { address }) } },
      ]
    }
    case 'offer':
      return [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: instantIn(value) } }]
    case 'payload': {
      // Cards often have equal labels: without a payload a tap would not tell its card.
      const payload = given.payload ?? (first.where.startsWith('card.') ? first.where : undefined)
      return payload === undefined ? [] : [{ type: 'payload', payload }]
    }
    case 'flow': {
      const { flow_token = 'unused', flow_data } = given
      return [action({ flow_token, ...(flow_data && { flow_action_data: flowDataIn(flow_data) }) })]
    }
    case 'catalog':
      return given.thumbnail ? [action({ thumbnail_product_retailer_id: given.thumbnail })] : []
    case 'products': {
      const sections = sectionsIn(value)
      const thumbnail = given.thumbnail ?? sections[0]?.product_items[0]?.product_retailer_id
      return [action({ thumbnail_product_retailer_id: thumbnail, sections })]
    }
  }
}

function needed(slot: Slot, values: TemplateVariables): string {
  const value = valueFor(slot, values)
  if (!value) throw new Error(`${slot.where} ${slot.name} has no value`)
  return value
}

function textParameter({ kind, name }: Slot, text: string): Json {
  const isNamed = kind === 'text' && !/^\d+$/.test(name)
  return { type: 'text', ...(isNamed && { parameter_name: name }), text }
}

const action = (members: Json): Json => ({ type: 'action', action: members })

function mediaParameter(format: string, value: string, uploaded: Uploaded): Json {
  const stored = uploaded.get(value)
  if (!stored && isUuid(value)) throw new Error(`the file ${value} is not stored`)
  const source = isLink(value) ? { link: value } : { id: stored?.id ?? value }
  // A document without a name appears as "Untitled".
  const filename = stored?.fileName ?? (isLink(value) ? new URL(value).pathname.split('/').at(-1) : undefined)
  return { type: format, [format]: { ...source, ...(format === 'document' && filename && { filename }) } }
}
