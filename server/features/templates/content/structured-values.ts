import { isUuid } from '../../../platform/ids.ts'
import type { TemplateVariables } from '../schema.ts'
import type { TemplateComponents } from './parts.ts'
import { ownKey, type Slot, slotsOf, valueFor } from './slots.ts'

/** Values that are more than text: dates, products, data of flows. Each is written as one string. */

export const isLink = (value: string): boolean => /^https?:\/\/\S+$/i.test(value)

/** Unix time in milliseconds, from that or from a date. */
export function instantIn(value: string): number {
  const at = /^\d{12,14}$/.test(value) ? Number(value) : Date.parse(value)
  if (!Number.isFinite(at)) throw new Error(`${value} is not a date`)
  return at
}

export function flowDataIn(value: string): Record<string, unknown> {
  const data: unknown = JSON.parse(value)
  if (typeof data !== 'object' || data === null || Array.isArray(data)) throw new Error('it must be a JSON object')
  return data as Record<string, unknown>
}

/** `Bundles: a1, a2; Seeds: b1`, or `a1, a2` for a single section without a title. */
export function sectionsIn(value: string) {
  return value
    .split(';')
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const [, title, list = ''] = /^(?:([^:]*):)?(.*)$/.exec(part) ?? []
      const products = list.split(',').map((product) => product.trim())
      return {
        ...(title?.trim() && { title: title.trim() }),
        product_items: products.filter(Boolean).map((product) => ({ product_retailer_id: product })),
      }
    })
}

/** The platform's limits: characters of a coupon code and of a one-time password, degrees, sections and products of a message. */
const limits = { code: 15, otp: 15, latitude: 90, longitude: 180, sections: 10, products: 30, sectionTitle: 24 }

const faults: Partial<Record<Slot['kind'], (value: string, name: string) => string | undefined>> = {
  code: (value) => (value.length > limits.code ? `A coupon code has ${limits.code} characters at most` : undefined),
  otp: (value) => (value.length > limits.otp ? `A one-time password has ${limits.otp} characters at most` : undefined),
  media: (value) =>
    isLink(value) || isUuid(value) || /^\d{5,30}$/.test(value)
      ? undefined
      : 'A file is a URL, the id that POST /templates/media returned, or a media id of the platform',
  location(value, name) {
    if (name !== 'latitude' && name !== 'longitude') return undefined
    const most = limits[name]
    return Math.abs(Number(value)) <= most ? undefined : `The ${name} is a number from -${most} to ${most}`
  },
  offer: (value) =>
    isUnreadable(() => instantIn(value))
      ? 'The end of an offer is a date such as 2027-01-31T18:00:00Z, or Unix time in milliseconds'
      : undefined,
  flow: (value, name) =>
    name === 'flow_data' && isUnreadable(() => flowDataIn(value)) ? 'The data of a flow is a JSON object' : undefined,
  products: (value, name) => (name === 'products' ? faultOfProducts(value) : undefined),
}

function faultOfProducts(value: string): string | undefined {
  const sections = sectionsIn(value)
  const count = sections.reduce((sum, { product_items }) => sum + product_items.length, 0)
  if (count === 0 || sections.some(({ product_items }) => product_items.length === 0))
    return 'Name the products of each section, as in Bundles: a1, a2; Seeds: b1'
  if (sections.length > limits.sections || count > limits.products)
    return `A message shows ${limits.products} products in ${limits.sections} sections at most`
  if (sections.some(({ title = '' }) => title.length > limits.sectionTitle))
    return `The title of a section has ${limits.sectionTitle} characters at most`
  return sections.length > 1 && sections.some(({ title }) => !title) ? 'Several sections need a title each' : undefined
}

function isUnreadable(read: () => unknown): boolean {
  try {
    read()
    return false
  } catch {
    return true
  }
}

/** What is wrong with these values, by their keys. Values that differ by recipient are not known here. */
export function faultsIn(components: TemplateComponents, values: TemplateVariables): { key: string; msg: string }[] {
  const found = new Map<string, string>()
  for (const slot of slotsOf(components)) {
    const value = valueFor(slot, values)
    const msg = value === undefined || value.includes('{{') ? undefined : faults[slot.kind]?.(value.trim(), slot.name)
    // One value may fill several slots.
    if (msg) found.set(Object.hasOwn(values, ownKey(slot)) ? ownKey(slot) : slot.name, msg)
  }
  return [...found].map(([key, msg]) => ({ key, msg }))
}
