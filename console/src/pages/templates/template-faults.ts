import { componentsOf } from './template-components.ts'
import type { TemplateValues } from './template-values.ts'

/** Checks what WhatsApp is certain to refuse. For all other rules, the editor shows the API's warnings. */
export function check(values: TemplateValues): Record<string, string> {
  const { kind, headerFormat, header, buttons, cards, cardFormat, otpType, apps, acceptsTerms } = values
  const faults: Record<string, string> = {}
  const noun = { IMAGE: 'an image', VIDEO: 'a video', DOCUMENT: 'a document' }
  if (headerFormat in noun && !header.handle)
    faults.header = `Upload ${noun[headerFormat as keyof typeof noun]} for WhatsApp’s reviewers.`
  for (const [i, { type, flow_id }] of buttons.entries())
    if (type === 'FLOW' && !flow_id.trim()) faults[`buttons.${i}.flow_id`] = 'Enter the ID of the flow.'
  if (kind === 'carousel')
    for (const [i, { handle }] of cards.entries())
      if (!handle) faults[`cards.${i}.handle`] = `Upload ${noun[cardFormat]} for this card.`
  if (kind === 'code' && otpType !== 'COPY_CODE')
    for (const [i, { package_name, signature_hash }] of apps.entries()) {
      if (!package_name.trim()) faults[`apps.${i}.package_name`] = 'Enter the package name.'
      if (!signature_hash.trim()) faults[`apps.${i}.signature_hash`] = 'Enter the signing key hash.'
    }
  if (kind === 'code' && otpType === 'ZERO_TAP' && !acceptsTerms)
    faults.acceptsTerms = 'Zero-tap needs your consent to its terms.'
  return faults
}

/** The field of the editor that an error or warning of the API is about. */
export function fieldOf(loc: string[], values: TemplateValues): string | undefined {
  const [, root, index, ...rest] = loc
  if (root !== 'components') return undefined
  const component = componentsOf(values)[Number(index)]
  const [member, at, , , ...inside] = rest
  switch (component?.type) {
    case 'HEADER':
      return component.format === 'TEXT' ? 'headerText' : 'header'
    case 'FOOTER':
      return member === 'code_expiration_minutes' ? 'expiryMinutes' : 'footerText'
    case 'BUTTONS':
      return values.kind === 'code' ? codeFieldOf(rest) : buttonFieldOf('buttons', rest)
    case 'LIMITED_TIME_OFFER':
      // Other findings about an offer are about the length of the body.
      return member === 'limited_time_offer' ? 'offerText' : 'bodyText'
    case 'CAROUSEL': {
      if (member !== 'cards' || at === undefined) return 'cards'
      const part = component.cards?.[Number(at)]?.components[Number(rest[3])]
      if (part?.type === 'BUTTONS') return buttonFieldOf(`cards.${at}.buttons`, inside)
      return `cards.${at}.${part?.type === 'HEADER' ? 'handle' : 'text'}`
    }
    default:
      return 'bodyText'
  }
}

const buttonFieldOf = (field: string, [, index, member]: string[]) =>
  index === undefined ? field : `${field}.${index}.${member === 'example' ? 'code' : (member ?? 'text')}`

const codeFieldOf = ([, , member, app, ofApp]: string[]) =>
  member === 'zero_tap_terms_accepted' ? 'acceptsTerms' : ['apps', app, ofApp].filter(Boolean).join('.')
