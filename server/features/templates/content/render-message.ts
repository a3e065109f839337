import type { Recipient } from '../../../providers/chat/contract.ts'
import type { TemplateVariables } from '../schema.ts'
import { bodyTextOf, buttonsOf, cardsOf, componentOf, type TemplateComponents, textIn } from './parts.ts'
import { slotsOf, valueFor } from './slots.ts'
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

/** What a message keeps of its template, in its `payload`: also what its header files are, by place, and whether it asks to call. */
export function payloadOf({ name, language, components }: FrozenTemplate, variables: TemplateVariables) {
  const files = slotsOf(components).flatMap(({ kind, where, format }) => (kind === 'media' ? [[where, format]] : []))
  const more = {
    ...(files.length > 0 && { files: Object.fromEntries(files) }),
    ...(componentOf(components, 'CALL_PERMISSION_REQUEST') && { asks_to_call: true }),
  }
  return { template: { name, language, ...more }, variables }
}

/** The message as the customer reads it: header, offer, body, footer and the texts of cards. */
export function textOf({ components }: Pick<FrozenTemplate, 'components'>, values: TemplateVariables): string {
  const texts = textsOf(components, '', values).filter(Boolean)
  return texts.join('\n\n') || buttonsText(components)
}

function textsOf(components: TemplateComponents, card: string, values: TemplateVariables): string[] {
  const part = (type: string) => componentOf(components, type)
  const offer = part('LIMITED_TIME_OFFER')?.limited_time_offer as { text?: unknown } | undefined
  const cards = cardsOf(part('CAROUSEL') ?? {})
  return [
    filled(textIn(part('HEADER')?.text), `${card}header`, values),
    textIn(offer?.text),
    filled(bodyTextOf(components), `${card}body`, values),
    textIn(part('FOOTER')?.text),
    ...cards.flatMap((own, i) => textsOf(own, `card.${i}.`, values)),
  ]
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
