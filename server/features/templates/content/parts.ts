import { buttonTypes, componentTypes, headerFormats } from './component-schema.ts'

/** The parts of a template, as callers send them or as the platform returns them: any member may be absent. */

export type TemplateComponents = Record<string, unknown>[]

export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')
export const wordOf = (value: unknown): string => textIn(value).toUpperCase()
const objectsIn = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'object' && each !== null) : []

export const componentOf = (components: TemplateComponents, type: string) =>
  components.find((component) => wordOf(component.type) === type)
export const buttonsOf = (component: Record<string, unknown>) => objectsIn(component.buttons)
/** The components of each card of a carousel. */
export const cardsOf = (component: Record<string, unknown>): TemplateComponents[] =>
  objectsIn(component.cards).map(({ components }) => objectsIn(components))

export const headerFormatOf = (header: Record<string, unknown>): string => wordOf(header.format) || 'TEXT'

/** The platform returns the button of an authentication template as a URL of its own. */
const otpAddress = /^https:\/\/(www\.)?whatsapp\.com\/otp\//i

/** `COPY_CODE`, `ONE_TAP` or `ZERO_TAP` for a button with a one-time password; undefined for other buttons. */
export function otpTypeOf(button: Record<string, unknown>): string | undefined {
  if (wordOf(button.type) === 'OTP') return wordOf(button.otp_type)
  const url = textIn(button.url)
  if (!otpAddress.test(url)) return undefined
  return /[?&]otp_type=(\w+)/.exec(url)?.[1]?.toUpperCase() ?? 'COPY_CODE'
}

export const hasOtp = (components: TemplateComponents): boolean =>
  components.flatMap(buttonsOf).some((button) => otpTypeOf(button) !== undefined)

/** The labels of buttons that open a website, also on cards, each once. */
export const linkLabelsOf = (components: TemplateComponents): string[] => [
  ...new Set(
    components.flatMap((component) => [
      ...buttonsOf(component)
        .filter((button) => wordOf(button.type) === 'URL' && otpTypeOf(button) === undefined)
        .map(({ text }) => textIn(text)),
      ...cardsOf(component).flatMap(linkLabelsOf),
    ]),
  ),
]

/** The platform writes the body of authentication templates; until it has returned it, this is the English text. */
export function bodyTextOf(components: TemplateComponents): string {
  const body = componentOf(components, 'BODY')
  if (!body || textIn(body.text) !== '' || !hasOtp(components)) return textIn(body?.text)
  const advice = body.add_security_recommendation === true ? ' For your security, do not share this code.' : ''
  return `{{1}} is your verification code.${advice}`
}

const knownFormats: readonly string[] = headerFormats
const knownComponents: readonly string[] = componentTypes
/** `VOICE_CALL` takes no parameters; templates with it come from the platform only. */
const knownButtons: readonly string[] = [...buttonTypes, 'VOICE_CALL']

/** Parts whose parameters are unknown to Frontdesk. The platform might refuse every message of such a template. */
export function unsupportedParts(components: TemplateComponents): string[] {
  const parts = components.flatMap((component) => {
    const type = wordOf(component.type)
    if (!knownComponents.includes(type)) return [`the component ${type || 'without a type'}`]
    if (type === 'HEADER' && !knownFormats.includes(headerFormatOf(component)))
      return [`a header of the format ${headerFormatOf(component)}`]
    const buttons = buttonsOf(component)
      .map((button) => wordOf(button.type))
      .filter((word) => !knownButtons.includes(word))
    return [
      ...buttons.map((word) => `the button ${word || 'without a type'}`),
      ...cardsOf(component).flatMap(unsupportedParts),
    ]
  })
  return [...new Set(parts)]
}
