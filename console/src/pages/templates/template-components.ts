import type { api as types } from '@frontdesk/sdk'
import { type HeaderFormat, variablesIn } from '../../records/templates/template-parts.ts'
import { kinds } from './template-kinds.ts'
import { type ButtonValues, type FileValues, newButton, type TemplateValues } from './template-values.ts'

type NewComponent = types.NewTemplate['components'][number]
type NewCardComponent = NonNullable<NewComponent['cards']>[number]['components'][number]

export function componentsOf(values: TemplateValues): NewComponent[] {
  if (values.kind === 'code') return codeComponents(values)
  const { kind, headerFormat, headerText, header, bodyText, footerText, buttons, offerText, offerEnds } = values
  const components: NewComponent[] = []
  if (headerFormat === 'TEXT')
    components.push({
      type: 'HEADER',
      format: 'TEXT',
      text: headerText,
      ...exampleOf('header', 'header', headerText, values),
    })
  else if (headerFormat === 'LOCATION') components.push({ type: 'HEADER', format: headerFormat })
  else if (headerFormat !== 'NONE') components.push(fileHeader(headerFormat, header))
  if (kind === 'offer')
    components.push({
      type: 'LIMITED_TIME_OFFER',
      limited_time_offer: { text: offerText, has_expiration: offerEnds },
    })
  components.push({ type: 'BODY', text: bodyText, ...exampleOf('body', 'body', bodyText, values) })
  if (kinds[kind].hasFooter && footerText.trim()) components.push({ type: 'FOOTER', text: footerText })
  if (kind === 'carousel') components.push({ type: 'CAROUSEL', cards: cardComponents(values) })
  if (kind === 'call') components.push({ type: 'CALL_PERMISSION_REQUEST' })
  if (buttons.length > 0)
    components.push({
      type: 'BUTTONS',
      buttons: buttons.map((button, i) => toButton(button, `button.${i}`, values)),
    })
  return components
}

/** WhatsApp writes the texts itself. */
function codeComponents(values: TemplateValues): NewComponent[] {
  const { otpType, hasAdvice, expiryMinutes, apps, acceptsTerms } = values
  const ofApps = otpType !== 'COPY_CODE' && {
    supported_apps: apps.map(({ package_name, signature_hash }) => ({
      package_name: package_name.trim(),
      signature_hash: signature_hash.trim(),
    })),
  }
  const button = {
    type: 'OTP' as const,
    otp_type: otpType,
    ...ofApps,
    ...(otpType === 'ZERO_TAP' && { zero_tap_terms_accepted: acceptsTerms }),
  }
  return [
    { type: 'BODY', add_security_recommendation: hasAdvice },
    ...(expiryMinutes.trim()
      ? [{ type: 'FOOTER' as const, code_expiration_minutes: Math.trunc(Number(expiryMinutes)) }]
      : []),
    { type: 'BUTTONS', buttons: [button] },
  ]
}

/** All cards have the same parts: if one has a text, the others need one too. */
function cardComponents(values: TemplateValues): { components: NewCardComponent[] }[] {
  const { cards, cardFormat, cardButtons } = values
  const haveText = cards.some(({ text }) => text.trim() !== '')
  return cards.map((card, i) => {
    const buttons = cardButtons.map((type, at) =>
      toButton({ ...(card.buttons[at] ?? newButton(type)), type }, `card.${i}.button.${at}`, values),
    )
    return {
      components: [
        fileHeader(cardFormat, card),
        ...(haveText
          ? [{ type: 'BODY' as const, text: card.text, ...exampleOf('body', `card.${i}.body`, card.text, values) }]
          : []),
        ...(buttons.length > 0 ? [{ type: 'BUTTONS' as const, buttons }] : []),
      ],
    }
  })
}

const fileHeader = (format: HeaderFormat, { handle }: FileValues) => ({
  type: 'HEADER' as const,
  format,
  ...(handle && { example: { header_handle: [handle] } }),
})

function exampleOf(part: 'header' | 'body', where: string, text: string, { examples }: TemplateValues) {
  const names = variablesIn(text)
  if (!names.some((name) => examples[`${where}.${name}`]?.trim())) return {}
  const valueAt = (name: string) => examples[`${where}.${name}`]?.trim() || `Example ${name}`
  if (!names.every((name) => /^\d+$/.test(name)))
    return {
      example: {
        [`${part}_text_named_params`]: names.map((name) => ({ param_name: name, example: valueAt(name) })),
      },
    }
  const values = names.sort((one, other) => Number(one) - Number(other)).map(valueAt)
  return { example: { [`${part}_text`]: part === 'body' ? [values] : values } }
}

function toButton(button: ButtonValues, where: string, { examples }: TemplateValues) {
  const { type, text, url, phone_number, flow_id, code } = button
  // An empty member is left out, so that the API says that it is missing.
  const filled = (members: Record<string, string>) =>
    Object.fromEntries(Object.entries(members).flatMap(([name, value]) => (value.trim() ? [[name, value.trim()]] : [])))
  switch (type) {
    case 'URL': {
      const [variable] = variablesIn(url)
      const value = variable && examples[`${where}.${variable}`]?.trim()
      const example = value ? { example: [url.replace(/\{\{[^{}]*\}\}/, value)] } : {}
      return { type, ...filled({ text, url }), ...example }
    }
    case 'PHONE_NUMBER':
      return { type, ...filled({ text, phone_number }) }
    case 'FLOW':
      return { type, ...filled({ text, flow_id }) }
    case 'COPY_CODE':
      return { type, ...filled({ example: code }) }
    default:
      return { type, ...filled({ text }) }
  }
}
