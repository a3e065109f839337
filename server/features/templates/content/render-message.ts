import type { Recipient } from '../../../providers/chat/contract.ts'
import type { TemplateVariables } from '../schema.ts'
import { buttonsOf, type Slot, slotsOf, type TemplateComponents, valueFor, wordOf } from './slots.ts'
import { variablesIn } from './variables.ts'

/** A template as it was when sending started. */
export interface FrozenTemplate {
  name: string
  language: string
  components: TemplateComponents
}

interface Address {
  phone_number: string
  whatsapp_user_id: string | null
}

export const recipientOf = ({ phone_number, whatsapp_user_id }: Address): Recipient =>
  phone_number === '' ? { userId: whatsapp_user_id as string } : { phoneNumber: phone_number }

/** The parameters for the platform. Throws when a value is missing: nothing blank is ever sent. */
export function parametersOf(
  { components }: Pick<FrozenTemplate, 'components'>,
  values: TemplateVariables,
): Record<string, unknown>[] {
  const byPlace = Map.groupBy(slotsOf(components), ({ where }) => where)
  return [...byPlace].map(([where, slots]) => {
    const parameters = slots.map((slot) => parameterOf(slot, components, values))
    const [place, index] = where.split('.')
    if (index === undefined) return { type: place, parameters }
    const subType = slots[0]?.kind === 'code' ? 'copy_code' : 'url'
    return { type: 'button', sub_type: subType, index, parameters }
  })
}

function parameterOf(slot: Slot, components: TemplateComponents, values: TemplateVariables): Record<string, unknown> {
  const value = valueFor(slot, values)
  if (!value) throw new Error(`nothing stands in for ${slot.where} ${slot.name}`)
  if (slot.kind === 'media') {
    const kind = wordOf(components.find(({ type }) => wordOf(type) === 'HEADER')?.format).toLowerCase()
    return { type: kind, [kind]: { link: value } }
  }
  if (slot.kind === 'code') return { type: 'coupon_code', coupon_code: value }
  const isNamed = slot.kind === 'text' && !/^\d+$/.test(slot.name)
  return { type: 'text', ...(isNamed && { parameter_name: slot.name }), text: value }
}

/** The message as the customer reads it: header, body and footer. */
export function textOf({ components }: Pick<FrozenTemplate, 'components'>, values: TemplateVariables): string {
  const part = (wanted: string) => {
    const component = components.find(({ type }) => wordOf(type) === wanted)
    return typeof component?.text === 'string' ? filled(component.text, wanted.toLowerCase(), values) : ''
  }
  const text = [part('HEADER'), part('BODY'), part('FOOTER')].filter(Boolean).join('\n\n')
  return text || buttonsText(components)
}

const filled = (text: string, where: string, values: TemplateVariables): string =>
  variablesIn(text).length === 0
    ? text
    : text.replace(
        /\{\{\s*([^{}]*?)\s*\}\}/g,
        (whole, name: string) => valueFor({ kind: 'text', where, name }, values) ?? whole,
      )

const buttonsText = (components: TemplateComponents): string =>
  components
    .flatMap(buttonsOf)
    .map(({ text }) => text)
    .filter((text) => typeof text === 'string')
    .join(' · ')
