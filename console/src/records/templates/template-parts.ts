/** The components of a template, in a form for pages. */

export type Components = Record<string, unknown>[]

export type HeaderFormat = 'TEXT' | 'IMAGE' | 'VIDEO' | 'DOCUMENT' | 'LOCATION'

export interface MessageButton {
  type: string
  text: string
  url?: string
  phone_number?: string
}

interface MessageParts {
  header: { format: HeaderFormat; text: string } | undefined
  body: string
  footer: string
  buttons: MessageButton[]
}

/** A variable and its place: `{{1}}` of the body is `{ where: 'body', name: '1' }`. */
export interface Slot {
  /** `header`, `body`, or `button.0` for the first button. */
  where: string
  /** The text between the braces; empty for the file of a media header. */
  name: string
}

export const keyOf = ({ where, name }: Slot) => (name === '' ? where : `${where}.${name}`)

const variable = /\{\{\s*([^{}]*?)\s*\}\}/g

/** The names of the variables in a text, in order, without duplicates. */
export const variablesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(variable)].map(([, inside]) => inside as string)),
]

export const fillVariables = (text: string, fill: (name: string) => string): string =>
  text.replace(variable, (_, name: string) => fill(name))

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const wordOf = (value: unknown): string => textOf(value).toUpperCase()
const recordsOf = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value : [])

export function partsOf(components: Components): MessageParts {
  const part = (wanted: string) => components.find(({ type }) => wordOf(type) === wanted)
  const header = part('HEADER')
  return {
    header: header && {
      format: (wordOf(header.format) || 'TEXT') as HeaderFormat,
      text: textOf(header.text),
    },
    body: textOf(part('BODY')?.text),
    footer: textOf(part('FOOTER')?.text),
    buttons: recordsOf(part('BUTTONS')?.buttons).map((button) => ({
      type: wordOf(button.type),
      text: textOf(button.text),
      url: textOf(button.url),
      phone_number: textOf(button.phone_number),
    })),
  }
}

/** All variables, in reading order. */
export function slotsOf(components: Components): Slot[] {
  const { header, body, buttons } = partsOf(components)
  const inText = (where: string, text: string) => variablesIn(text).map((name) => ({ where, name }))
  return [
    ...(header ? (header.format === 'TEXT' ? inText('header', header.text) : [{ where: 'header', name: '' }]) : []),
    ...inText('body', body),
    ...buttons.flatMap(({ type, url = '' }, i) => {
      if (type === 'OTP' || type === 'COPY_CODE') return [{ where: `button.${i}`, name: '1' }]
      return type === 'URL' ? inText(`button.${i}`, url) : []
    }),
  ]
}

/** The sample values of a template, by variable. */
export function examplesOf(components: Components): Record<string, string> {
  const examples: Record<string, string> = {}
  for (const component of components) {
    const type = wordOf(component.type)
    const where = type.toLowerCase()
    const example = (component.example ?? {}) as Record<string, unknown>
    const given = example[`${where}_text`]
    const values: unknown[] = Array.isArray(given) ? (Array.isArray(given[0]) ? given[0] : given) : []
    // Numbered examples are ordered by number.
    for (const [i, value] of values.entries()) examples[`${where}.${i + 1}`] = String(value)
    for (const named of recordsOf(example[`${where}_text_named_params`]))
      examples[`${where}.${textOf(named.param_name)}`] = textOf(named.example)
    for (const [i, button] of recordsOf(component.buttons).entries()) {
      const [full] = Array.isArray(button.example) ? button.example : [button.example]
      for (const name of variablesIn(textOf(button.url)))
        examples[`button.${i}.${name}`] = textOf(full).replace(textOf(button.url).replace(variable, ''), '')
    }
  }
  return examples
}

/** The body as one line, for lists. */
export const snippetOf = (components: Components): string => {
  const { body } = partsOf(components)
  return body.replace(/[*_~`]+/g, '').replace(/\s+/g, ' ')
}
