import type { TemplateVariables } from '../schema.ts'
import {
  bodyTextOf,
  buttonsOf,
  cardsOf,
  hasOtp,
  headerFormatOf,
  otpTypeOf,
  type TemplateComponents,
  textIn,
  wordOf,
} from './parts.ts'
import { type Piece, readValue } from './values.ts'
import { variablesIn } from './variables.ts'

/** A variable of a template, or another value that its messages need. */
export interface Slot {
  kind: 'text' | 'url' | 'otp' | 'code' | 'media' | 'location' | 'offer' | 'payload' | 'flow' | 'catalog' | 'products'
  /** `header`, `body`, `button.0` for the first button, `limited_time_offer`; in a carousel after `card.0.`. */
  where: string
  /** The name between the braces, or of the value; empty for a file. */
  name: string
  /** A message can be sent without it. */
  isOptional?: true
  /** For a file: `image`, `video` or `document`. */
  format?: string
}

const known = new WeakMap<TemplateComponents, Slot[]>()

/** Every slot of a template, in order, each once. Campaigns call this for each message. */
export function slotsOf(components: TemplateComponents): Slot[] {
  const slots = known.get(components) ?? findSlots(components)
  known.set(components, slots)
  return slots
}

function findSlots(components: TemplateComponents, card = ''): Slot[] {
  const slots = components.flatMap((component): Slot[] => {
    const type = wordOf(component.type)
    if (type === 'HEADER') return slotsOfHeader(component, `${card}header`)
    if (type === 'BODY') return inText(bodyTextOf(components), `${card}body`, hasOtp(components) ? 'otp' : 'text')
    if (type === 'BUTTONS')
      return buttonsOf(component).flatMap((button, i) => slotsOfButton(button, `${card}button.${i}`))
    if (type === 'CAROUSEL') return cardsOf(component).flatMap((own, i) => findSlots(own, `card.${i}.`))
    const offer = component.limited_time_offer as { has_expiration?: unknown } | undefined
    if (type === 'LIMITED_TIME_OFFER' && offer?.has_expiration === true)
      return [{ kind: 'offer', where: 'limited_time_offer', name: 'expires_at' }]
    return []
  })
  const seen = new Set<string>()
  return slots.filter(({ where, name }) => !seen.has(`${where} ${name}`) && seen.add(`${where} ${name}`))
}

const inText = (text: string, where: string, kind: Slot['kind']): Slot[] =>
  variablesIn(text).map((name) => ({ kind, where, name }))

function slotsOfHeader(header: Record<string, unknown>, where: string): Slot[] {
  const format = headerFormatOf(header)
  if (format === 'TEXT') return inText(textIn(header.text), where, 'text')
  if (format !== 'LOCATION') return [{ kind: 'media', where, name: '', format: format.toLowerCase() }]
  const slot = (name: string): Slot => ({ kind: 'location', where, name })
  return [slot('latitude'), slot('longitude'), ...['name', 'address'].map((name) => optional(slot(name)))]
}

const optional = (slot: Slot): Slot => ({ ...slot, isOptional: true })

function slotsOfButton(button: Record<string, unknown>, where: string): Slot[] {
  if (otpTypeOf(button) !== undefined) return [{ kind: 'otp', where, name: '1' }]
  switch (wordOf(button.type)) {
    case 'URL':
      return inText(textIn(button.url), where, 'url')
    case 'COPY_CODE':
      return [{ kind: 'code', where, name: '1' }]
    case 'QUICK_REPLY':
      return [optional({ kind: 'payload', where, name: 'payload' })]
    case 'FLOW':
      return [
        optional({ kind: 'flow', where, name: 'flow_token' }),
        optional({ kind: 'flow', where, name: 'flow_data' }),
      ]
    case 'CATALOG':
      return [optional({ kind: 'catalog', where, name: 'thumbnail' })]
    case 'MPM':
      return [{ kind: 'products', where, name: 'products' }, optional({ kind: 'products', where, name: 'thumbnail' })]
    default:
      return []
  }
}

/** A variable of this kind may be addressed by its name alone, which then means all parts that use the name. */
const hasGeneralKey = ({ kind }: Slot) => kind === 'text' || kind === 'url' || kind === 'otp' || kind === 'code'

/** The keys under which a value for this slot is looked up: its own, then the general one. */
export const ownKey = ({ where, name }: Slot) => (name === '' ? where : `${where}.${name}`)
const generalKey = (slot: Slot) => (hasGeneralKey(slot) ? slot.name : ownKey(slot))

export const valueFor = (slot: Slot, values: TemplateVariables): string | undefined =>
  values[ownKey(slot)] ?? values[generalKey(slot)]

/** A value to render per recipient; without parts there is nothing to render. */
export interface Filling {
  key: string
  pieces: Piece[]
}

/** The values to render per recipient: the caller's, otherwise the default rule. */
export function fillingsOf(components: TemplateComponents, given: TemplateVariables | null): Filling[] {
  const fillings = new Map<string, Filling>()
  for (const slot of slotsOf(components)) {
    const key = [ownKey(slot), generalKey(slot)].find((each) => given && Object.hasOwn(given, each))
    const wanted = key === undefined ? undefined : given?.[key]
    if (key !== undefined && wanted !== undefined) fillings.set(key, { key, pieces: readValue(wanted) ?? [] })
    else if (!slot.isOptional) {
      const usual = usualFilling(slot)
      fillings.set(usual.key, usual)
    }
  }
  return [...fillings.values()]
}

/** Codes, files, places and products have no default: they are never guessed from the contact. */
function usualFilling(slot: Slot): Filling {
  const { kind, name } = slot
  if (kind === 'text' || kind === 'url')
    return { key: name, pieces: name === '1' ? [{ field: 'name' }] : [{ customField: name }] }
  return { key: kind === 'otp' ? name : ownKey(slot), pieces: [] }
}
