import { isDeepStrictEqual } from 'node:util'
import { cardsOf, hasOtp, otpTypeOf, type TemplateComponents } from '../content/parts.ts'

type Part = Record<string, unknown>

/**
 * Whether both say the same to a recipient. Read back, a template has examples and members of the platform's own, its
 * values may be in another case and its parts in another order.
 */
export function sameContent(one: object[], other: object[]): boolean {
  return isDeepStrictEqual(essence(one as TemplateComponents), essence(other as TemplateComponents))
}

const ours = new Set(['HEADER', 'BODY', 'FOOTER', 'BUTTONS'])

function essence(components: TemplateComponents): (Part & { type: string })[] {
  const isAuthentication = hasOtp(components)
  return components
    .map((part): Part & { type: string } => {
      const type = word(part.type)
      if (type === 'CAROUSEL') return { type, cards: cardsOf(part).map(essence) }
      // Members outside the contract are compared as they are.
      if (!ours.has(type)) return { ...(withoutExamples(part) as Part), type }
      const buttons = Array.isArray(part.buttons) ? (part.buttons as Part[]) : []
      if (isAuthentication) return authenticationEssence(type, part, buttons)
      return {
        type,
        format: type === 'HEADER' ? word(part.format) || 'TEXT' : '',
        text: text(part.text),
        buttons: buttons.map((button) => ({
          type: word(button.type),
          text: text(button.text),
          url: text(button.url).replace(/\/$/, ''),
          phone: text(button.phone_number).replace(/\D/g, ''),
        })),
      }
    })
    .sort((left, right) => left.type.localeCompare(right.type))
}

/** The platform returns the texts that it wrote, and the button as a URL. */
const authenticationEssence = (type: string, part: Part, buttons: Part[]) => ({
  type,
  isSecured: part.add_security_recommendation === true,
  minutes: part.code_expiration_minutes ?? null,
  buttons: buttons.map(otpTypeOf),
})

/** Media examples are links that change with every read. */
function withoutExamples(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutExamples)
  if (value === null || typeof value !== 'object') return value
  const members = Object.entries(value).filter(([name]) => name !== 'example')
  return Object.fromEntries(members.map(([name, member]) => [name, withoutExamples(member)]))
}

const text = (value: unknown): string => (typeof value === 'string' ? value.trim().replaceAll('\r\n', '\n') : '')
const word = (value: unknown): string => text(value).toUpperCase()
