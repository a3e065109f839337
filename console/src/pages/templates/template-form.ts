import type { api as types } from '@frontdesk/sdk'
import { type Components, examplesOf, partsOf, variablesIn } from '../../records/templates/template-parts.ts'

/** A template as its editor holds it. */
export interface TemplateValues {
  channel_id: string
  name: string
  language: string
  category: types.NewTemplate['category']
  headerFormat: 'NONE' | 'TEXT' | 'IMAGE' | 'VIDEO' | 'DOCUMENT'
  headerText: string
  headerHandle: string
  bodyText: string
  footerText: string
  buttons: ButtonValues[]
  /** What reviewers see in place of the variables, by `body.1`, `header.1`, `button.0.1`. */
  examples: Record<string, string>
}

export interface ButtonValues {
  /** Tells one from another while they move. */
  key: string
  type: 'QUICK_REPLY' | 'URL' | 'PHONE_NUMBER'
  text: string
  url: string
  phone_number: string
}

/** What the platform takes at most. */
export const limits = { name: 255, header: 60, body: 1024, footer: 60, label: 25, url: 2000, buttons: 10 }

export const emptyTemplate: TemplateValues = {
  channel_id: '',
  name: '',
  language: 'en_US',
  category: 'UTILITY',
  headerFormat: 'NONE',
  headerText: '',
  headerHandle: '',
  bodyText: '',
  footerText: '',
  buttons: [],
  examples: {},
}

let buttonsMade = 0
export const newButton = (type: ButtonValues['type']): ButtonValues => ({
  key: `button-${++buttonsMade}`,
  type,
  text: '',
  url: '',
  phone_number: '',
})

type NewComponent = types.NewTemplate['components'][number]

export function componentsOf(values: TemplateValues): NewComponent[] {
  const { headerFormat, headerText, headerHandle, bodyText, footerText, buttons } = values
  const components: NewComponent[] = []
  if (headerFormat === 'TEXT')
    components.push({ type: 'HEADER', format: 'TEXT', text: headerText, ...exampleOf('header', headerText, values) })
  else if (headerFormat !== 'NONE')
    components.push({
      type: 'HEADER',
      format: headerFormat,
      ...(headerHandle.trim() && { example: { header_handle: [headerHandle.trim()] } }),
    })
  components.push({ type: 'BODY', text: bodyText, ...exampleOf('body', bodyText, values) })
  if (footerText.trim()) components.push({ type: 'FOOTER', text: footerText })
  if (buttons.length > 0)
    components.push({ type: 'BUTTONS', buttons: buttons.map((button, i) => toButton(button, i, values)) })
  return components
}

function exampleOf(where: 'header' | 'body', text: string, { examples }: TemplateValues) {
  const names = variablesIn(text)
  if (!names.some((name) => examples[`${where}.${name}`]?.trim())) return {}
  const valueAt = (name: string) => examples[`${where}.${name}`]?.trim() || `Example ${name}`
  if (!names.every((name) => /^\d+$/.test(name)))
    return {
      example: {
        [`${where}_text_named_params`]: names.map((name) => ({ param_name: name, example: valueAt(name) })),
      },
    }
  const values = names.sort((one, other) => Number(one) - Number(other)).map(valueAt)
  return { example: { [`${where}_text`]: where === 'body' ? [values] : values } }
}

function toButton({ type, text, url, phone_number }: ButtonValues, i: number, { examples }: TemplateValues) {
  // An empty member is left out, so that the API says that it is missing.
  const label = text.trim() ? { text: text.trim() } : {}
  if (type === 'QUICK_REPLY') return { type, ...label }
  if (type === 'PHONE_NUMBER')
    return { type, ...label, ...(phone_number.trim() && { phone_number: phone_number.trim() }) }
  const [variable] = variablesIn(url)
  const value = variable && examples[`button.${i}.${variable}`]?.trim()
  const example = value ? { example: [url.replace(/\{\{[^{}]*\}\}/, value)] } : {}
  return { type, ...label, ...(url.trim() && { url: url.trim() }), ...example }
}

/** Which field of the editor a fault of the API speaks of. */
export function fieldOf(loc: string[], values: TemplateValues): string | undefined {
  const [, root, index, member, button, ofButton] = loc
  if (root !== 'components') return undefined
  const component = componentsOf(values)[Number(index)]
  if (!component) return 'bodyText'
  if (component.type === 'BODY') return 'bodyText'
  if (component.type === 'FOOTER') return 'footerText'
  if (component.type === 'HEADER')
    return member === 'example' && component.format !== 'TEXT' ? 'headerHandle' : 'headerText'
  return button === undefined ? 'buttons' : `buttons.${button}.${ofButton ?? 'text'}`
}

/** An earlier template as the beginning of a new one. */
export function valuesFrom(template: types.Template): TemplateValues {
  const components: Components = template.components
  const { header, body, footer, buttons } = partsOf(components)
  const isKnown = header && ['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT'].includes(header.format)
  return {
    ...emptyTemplate,
    channel_id: template.channel_id,
    name: `${template.name}_2`.slice(0, limits.name),
    language: template.language,
    category: template.category,
    headerFormat: isKnown ? (header.format as TemplateValues['headerFormat']) : 'NONE',
    headerText: header?.text ?? '',
    bodyText: body,
    footerText: footer,
    buttons: buttons.flatMap(({ type, text, url = '', phone_number = '' }) =>
      type === 'QUICK_REPLY' || type === 'URL' || type === 'PHONE_NUMBER'
        ? [{ ...newButton(type), text, url, phone_number }]
        : [],
    ),
    examples: examplesOf(components),
  }
}
