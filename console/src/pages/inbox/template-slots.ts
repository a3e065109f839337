import type { api as types } from '@frontdesk/sdk'

/** A place in a template that has to be filled. */
export interface Slot {
  /** What the API calls it. */
  key: string
  label: string
  example: string
}

type Component = types.Template['components'][number]

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const word = (value: unknown): string => text(value).toUpperCase()
const variable = /\{\{\s*([^{}]*?)\s*\}\}/g
const namesIn = (value: unknown) => [...new Set([...text(value).matchAll(variable)].map(([, name]) => name as string))]
const buttonsOf = ({ buttons }: Component): Component[] => (Array.isArray(buttons) ? buttons : [])

export function slotsOf(components: Component[]): Slot[] {
  return components.flatMap((component): Slot[] => {
    const type = word(component.type)
    if (type === 'BODY') return textSlots('body', component.text, examplesOf(component, 'body_text'))
    if (type === 'HEADER') {
      if (component.format === undefined || component.format === null || word(component.format) === 'TEXT')
        return textSlots('header', component.text, examplesOf(component, 'header_text'))
      const kind = word(component.format).toLowerCase()
      return [{ key: 'header', label: `Address of the ${kind}`, example: 'https://' }]
    }
    if (type === 'BUTTONS') return buttonsOf(component).flatMap(buttonSlots)
    return []
  })
}

const textSlots = (where: string, value: unknown, examples: string[]): Slot[] =>
  namesIn(value).map((name, i) => ({
    key: `${where}.${name}`,
    label: where === 'header' ? `{{${name}}} in the headline` : `{{${name}}}`,
    example: examples[i] ?? '',
  }))

function buttonSlots(button: Component, index: number): Slot[] {
  const name = text(button.text) || `button ${index + 1}`
  const type = word(button.type)
  if (type === 'URL')
    return namesIn(button.url).map((each) => ({
      key: `button.${index}.${each}`,
      label: `End of the link “${name}”`,
      example: '',
    }))
  if (type === 'OTP' || type === 'COPY_CODE')
    return [{ key: `button.${index}.1`, label: `Code of “${name}”`, example: '' }]
  return []
}

/** Examples stand as `{ body_text: [['Ada', '12']] }` or `{ header_text: ['Ada'] }`. */
function examplesOf({ example }: Component, member: string): string[] {
  if (typeof example !== 'object' || example === null) return []
  const given: unknown = (example as Record<string, unknown>)[member]
  const list = Array.isArray(given) && Array.isArray(given[0]) ? given[0] : given
  return Array.isArray(list) ? list.map(String) : []
}

/** The message as the customer reads it, what is not filled yet as it stands. */
export function filledText(components: Component[], values: Record<string, string>): string {
  const part = (wanted: string) => {
    const component = components.find(({ type }) => word(type) === wanted)
    const where = wanted.toLowerCase()
    return text(component?.text).replace(variable, (whole, name: string) => values[`${where}.${name}`]?.trim() || whole)
  }
  return [part('HEADER'), part('BODY'), part('FOOTER')].filter(Boolean).join('\n\n')
}
