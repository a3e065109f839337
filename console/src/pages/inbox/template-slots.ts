import {
  type Components,
  examplesOf,
  fillVariables,
  keyOf,
  partsOf,
  slotsOf,
} from '../../records/templates/template-parts.ts'

/** A variable of a template with a label for its field. */
interface LabelledSlot {
  /** The key in the API. */
  key: string
  label: string
  example: string
}

export function labelledSlots(components: Components): LabelledSlot[] {
  const { header, buttons } = partsOf(components)
  const examples = examplesOf(components)
  return slotsOf(components).map((slot) => {
    const { where, name } = slot
    const key = keyOf(slot)
    const example = examples[key] ?? ''
    if (where === 'body') return { key, label: `{{${name}}}`, example }
    if (where === 'header')
      return name === ''
        ? { key, label: `URL of the ${header?.format.toLowerCase()}`, example: 'https://' }
        : { key, label: `{{${name}}} in the header`, example }
    const index = Number(where.split('.')[1])
    const { type, text } = buttons[index] ?? { type: '', text: '' }
    const button = text || `button ${index + 1}`
    return { key, label: type === 'URL' ? `URL ending of “${button}”` : `Code for “${button}”`, example }
  })
}

/** The message with the given values; missing ones show as variables. */
export function filledText(components: Components, values: Record<string, string>): string {
  const { header, body, footer } = partsOf(components)
  const filled = (where: string, text: string) =>
    fillVariables(text, (name) => values[keyOf({ where, name })]?.trim() || `{{${name}}}`)
  return [filled('header', header?.text ?? ''), filled('body', body), footer].filter(Boolean).join('\n\n')
}
