import type { Button, Component } from '../content/component-schema.ts'
import type { Category } from '../schema.ts'
import { type Finding, finding, isFilled, lengthOf, tooLong } from './findings.ts'

/** Rules about what goes together: the platform has kinds of templates, each with its own category and parts. */
export function kindFindings(category: Category, components: Component[]): Finding[] {
  if (category === 'AUTHENTICATION') return authenticationFindings(components)
  const found = components.flatMap((component, i) =>
    (kinds[component.type]?.(component, category, components) ?? []).map(({ at, msg }) =>
      finding(msg, String(i), ...at),
    ),
  )
  return found
}

type Rule = (component: Component, category: Category, components: Component[]) => Finding[]

const kinds: Partial<Record<Component['type'], Rule>> = {
  BUTTONS: buttonFindings,
  CAROUSEL: carouselFindings,
  LIMITED_TIME_OFFER: offerFindings,
  CALL_PERMISSION_REQUEST: (_, __, components) =>
    othersIn(components, ['BUTTONS', 'CAROUSEL', 'LIMITED_TIME_OFFER'], 'A call permission request'),
}

const limits = { offer: 16, offerBody: 600, cards: 10, cardBody: 160, cardButtons: 2, expiryMinutes: 90 }

const marketingOnly = (what: string, category: Category, ...at: string[]): Finding[] =>
  category === 'MARKETING' ? [] : [finding(`${what} is for the category MARKETING`, ...at)]

const othersIn = (components: Component[], types: Component['type'][], what: string): Finding[] =>
  components.some(({ type }) => types.includes(type))
    ? [finding(`${what} takes no ${types.join(', ').replace(/, (\w+)$/, ' or $1')} beside it`, 'type')]
    : []

/** The platform writes the texts of authentication templates itself. */
function authenticationFindings(components: Component[]): Finding[] {
  const found = components.flatMap(({ type, text, buttons, code_expiration_minutes: minutes }, i) => {
    const at = String(i)
    if (type === 'BUTTONS')
      return buttons?.[0]?.type === 'OTP' ? [] : [finding('The button is an OTP button', at, 'buttons')]
    if (type !== 'BODY' && type !== 'FOOTER')
      return [finding(`An authentication template takes no ${type}`, at, 'type')]
    const own: Finding[] = []
    if (text !== undefined)
      own.push(finding('The platform writes authentication templates itself and refuses those with a text', at, 'text'))
    if (minutes !== undefined && (minutes < 1 || minutes > limits.expiryMinutes))
      own.push(finding(`A code expires after 1 to ${limits.expiryMinutes} minutes`, at, 'code_expiration_minutes'))
    return own
  })
  if (!components.some(({ type }) => type === 'BUTTONS')) found.push(finding('The platform wants one OTP button'))
  return found
}

function buttonFindings({ buttons = [] }: Component, category: Category, components: Component[]): Finding[] {
  const has = (type: Button['type']) => buttons.some((button) => button.type === type)
  const found: Finding[] = []
  if (has('OTP')) found.push(finding('An OTP button is for the category AUTHENTICATION', 'buttons'))
  for (const type of ['COPY_CODE', 'CATALOG', 'MPM'] as const)
    if (has(type)) found.push(...marketingOnly(`A ${type} button`, category, 'buttons'))
  if (has('MPM') && !components.some(({ type }) => type === 'HEADER'))
    found.push(finding('The platform wants a header above an MPM button', 'buttons'))
  return found
}

function offerFindings(
  { limited_time_offer: offer }: Component,
  category: Category,
  components: Component[],
): Finding[] {
  const found = marketingOnly('A limited-time offer', category, 'type')
  if (offer && lengthOf(offer.text) > limits.offer)
    found.push(tooLong('The heading of an offer', limits.offer, 'limited_time_offer', 'text'))
  found.push(...othersIn(components, ['FOOTER'], 'A limited-time offer'))
  const part = (type: Component['type']) => components.find((component) => component.type === type)
  const format = part('HEADER')?.format ?? 'TEXT'
  if (part('HEADER') && format !== 'IMAGE' && format !== 'VIDEO')
    found.push(finding('The header of an offer is an image or a video', 'type'))
  if (lengthOf(part('BODY')?.text ?? '') > limits.offerBody)
    found.push(finding(`The body of an offer has ${limits.offerBody} characters at most at the platform`, 'type'))
  const buttons = part('BUTTONS')?.buttons ?? []
  if (buttons.findIndex(({ type }) => type === 'COPY_CODE') > 0)
    found.push(finding('The COPY_CODE button of an offer stands first', 'type'))
  return found
}

function carouselFindings({ cards = [] }: Component, category: Category, components: Component[]): Finding[] {
  const found = marketingOnly('A carousel', category, 'type')
  found.push(...othersIn(components, ['HEADER', 'FOOTER', 'BUTTONS'], 'A carousel'))
  if (cards.length === 0 || cards.length > limits.cards)
    found.push(finding(`A carousel has 1 to ${limits.cards} cards`, 'cards'))
  for (const [i, { components: own }] of cards.entries()) {
    const at = ['cards', String(i)]
    const header = own.find(({ type }) => type === 'HEADER')
    if (header?.format !== 'IMAGE' && header?.format !== 'VIDEO')
      found.push(finding('A card begins with an image or a video', ...at))
    if (lengthOf(own.find(({ type }) => type === 'BODY')?.text ?? '') > limits.cardBody)
      found.push(finding(`The text of a card has ${limits.cardBody} characters at most at the platform`, ...at))
    const buttons = own.find(({ type }) => type === 'BUTTONS')?.buttons
    if (isFilled(buttons) && (buttons?.length ?? 0) > limits.cardButtons)
      found.push(finding(`A card takes ${limits.cardButtons} buttons at most`, ...at))
    if (shapeOf(own) !== shapeOf(cards[0]?.components ?? []))
      found.push(finding('All cards have the same parts: header format, body and kinds of buttons', ...at))
  }
  return found
}

const shapeOf = (card: Component[]): string =>
  card
    .map(({ type, format = '', buttons = [] }) => [type, format, ...buttons.map((button) => button.type)].join(' '))
    .sort()
    .join('; ')
