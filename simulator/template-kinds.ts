import { invalid, storedOtp } from './template-buttons.ts'
import type { Component } from './template-component.ts'

/** Rules about which parts go together. */
export function checkKind(components: Component[], category: string): void {
  const part = (type: string) => components.find((component) => component.type === type)
  const buttonTypes = (part('BUTTONS')?.buttons ?? []).map(({ type }) => String(type))
  const isMarketing = category === 'MARKETING'
  for (const type of ['COPY_CODE', 'CATALOG', 'MPM'])
    if (!isMarketing && buttonTypes.includes(type))
      throw invalid(`Buttons of type ${type} are for the category MARKETING`)
  if (buttonTypes.includes('MPM') && !part('HEADER')) throw invalid('An MPM template needs a component of type HEADER')
  const carousel = part('CAROUSEL')
  const offer = part('LIMITED_TIME_OFFER')
  if ((carousel || offer) && !isMarketing) throw invalid('Carousels and offers are for the category MARKETING')
  if (carousel) checkCarousel(carousel, components)
  if (offer) checkOffer(offer, components)
  if (part('CALL_PERMISSION_REQUEST') && (part('BUTTONS') || carousel || offer))
    throw invalid('A call permission request cannot be combined with other interactive components')
}

function checkCarousel({ cards = [] }: Component, components: Component[]): void {
  if (components.some(({ type }) => ['HEADER', 'FOOTER', 'BUTTONS'].includes(type)))
    throw invalid('A carousel template has a body and cards only')
  if (cards.length === 0 || cards.length > 10) throw invalid('There may be 1 to 10 cards')
  for (const { components: own } of cards) {
    const part = (type: string) => own.find((component) => component.type === type)
    if (!['IMAGE', 'VIDEO'].includes(part('HEADER')?.format ?? ''))
      throw invalid('A card needs an IMAGE or VIDEO header')
    if ((part('BODY')?.text?.length ?? 0) > 160) throw invalid('The body of a card has 160 characters at most')
    if ((part('BUTTONS')?.buttons?.length ?? 0) > 2) throw invalid('A card has 2 buttons at most')
    if (shapeOf(own) !== shapeOf(cards[0]?.components ?? [])) throw invalid('All cards must have the same components')
  }
}

const shapeOf = (card: Component[]): string =>
  card
    .map(({ type, format = '', buttons = [] }) => [type, format, ...buttons.map((button) => button.type)].join(' '))
    .sort()
    .join('; ')

function checkOffer({ limited_time_offer: given }: Component, components: Component[]): void {
  const offer = (given ?? {}) as { text?: unknown }
  if (typeof offer.text !== 'string' || offer.text === '' || offer.text.length > 16)
    throw invalid('The text of a limited-time offer has 1 to 16 characters')
  const part = (type: string) => components.find((component) => component.type === type)
  if (part('FOOTER')) throw invalid('A limited-time offer has no component of type FOOTER')
  if (part('HEADER') && !['IMAGE', 'VIDEO'].includes(part('HEADER')?.format ?? ''))
    throw invalid('The header of a limited-time offer is an IMAGE or VIDEO')
  if ((part('BODY')?.text?.length ?? 0) > 600) throw invalid('The body of an offer has 600 characters at most')
  if ((part('BUTTONS')?.buttons ?? []).findIndex(({ type }) => type === 'COPY_CODE') > 0)
    throw invalid('The copy code button of an offer must be the first')
}

/** The platform writes the texts of authentication templates; returns them as it stores them. */
export function asAuthentication(components: Component[]): Component[] {
  return components.map((component) => {
    const { type, text, buttons = [], code_expiration_minutes: minutes } = component
    if (!['BODY', 'FOOTER', 'BUTTONS'].includes(type))
      throw invalid(`Authentication templates have no component of type ${type}`)
    if (text !== undefined)
      throw invalid(
        `Component of type ${type} has unexpected field(s) (text): authentication templates have a fixed text`,
      )
    if (type === 'BODY') {
      const advice = component.add_security_recommendation === true ? ' For your security, do not share this code.' : ''
      const written = `*{{1}}* is your verification code.${advice}`
      return { ...component, text: written, example: { body_text: [['123456']] } }
    }
    if (type === 'FOOTER') {
      if (!Number.isInteger(minutes) || Number(minutes) < 1 || Number(minutes) > 90)
        throw invalid('code_expiration_minutes is a number from 1 to 90')
      return { ...component, text: `This code expires in ${minutes} minutes.` }
    }
    if (buttons.length !== 1 || buttons[0]?.type !== 'OTP')
      throw invalid('Authentication templates have exactly one button of type OTP')
    return { ...component, buttons: buttons.map(storedOtp) }
  })
}
