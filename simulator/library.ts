import offered from './library.json' with { type: 'json' }
import { templateRefusal } from './refusals.ts'
import type { Component } from './template-component.ts'

/** The platform's ready-made templates. */
interface LibraryItem {
  id: string
  name: string
  language: string
  category: string
  topic: string
  usecase: string
  industry: string[]
  header?: string
  body: string
  body_params: string[]
  body_param_types: string[]
  buttons?: Record<string, unknown>[]
}

const languages = ['en_US', 'en_GB', 'en']

const items: LibraryItem[] = offered.flatMap((item, i) =>
  languages.map((language, j) => ({
    id: `72170012${String(i).padStart(4, '0')}${j}`,
    language,
    category: 'UTILITY',
    ...item,
  })),
)

/** Items that match the filters; without a language, each item's first. */
export function browseLibrary(filter: URLSearchParams): LibraryItem[] {
  const wanted = (name: string) => filter.get(name)?.toLowerCase()
  const language = filter.get('language') ?? 'en_US'
  const search = wanted('search')
  return items.filter(
    (item) =>
      item.language === language &&
      (!search || `${item.name} ${item.header ?? ''} ${item.body}`.toLowerCase().includes(search)) &&
      (!wanted('name') || item.name === wanted('name')) &&
      (!wanted('topic') || item.topic.toLowerCase() === wanted('topic')) &&
      (!wanted('usecase') || item.usecase.toLowerCase() === wanted('usecase')) &&
      (!wanted('industry') || item.industry.some((each) => each.toLowerCase() === wanted('industry'))),
  )
}

const refuse = (message: string) => templateRefusal(undefined, 'Template library', message)

/** The components of a template from the library. Inputs come as JSON in a string, or as a list. */
export function fromLibrary(
  name: unknown,
  language: string,
  inputs: unknown,
): { item: LibraryItem; components: Component[] } {
  const item = items.find((each) => each.name === name && each.language === language)
  if (!item) throw refuse(`The library has no template named ${String(name)} in ${language}`)
  const components: Component[] = []
  if (item.header) components.push({ type: 'HEADER', format: 'TEXT', text: item.header })
  components.push({ type: 'BODY', text: item.body, example: { body_text: [item.body_params] } })
  if (item.buttons) components.push({ type: 'BUTTONS', buttons: filledButtons(item.buttons, listOf(inputs)) })
  return { item, components }
}

function listOf(inputs: unknown): Record<string, unknown>[] {
  try {
    const list = typeof inputs === 'string' ? JSON.parse(inputs) : inputs
    return Array.isArray(list) ? list : []
  } catch {
    throw refuse('Param library_template_button_inputs is not valid JSON')
  }
}

function filledButtons(buttons: Record<string, unknown>[], inputs: Record<string, unknown>[]) {
  const left = [...inputs]
  return buttons.map((button) => {
    if (button.type === 'QUICK_REPLY') return button
    const at = left.findIndex(({ type }) => String(type).toUpperCase() === button.type)
    const input = at < 0 ? undefined : left.splice(at, 1)[0]
    const url = input?.url as { base_url?: unknown; url_suffix_example?: unknown } | undefined
    const value = button.type === 'URL' ? url?.base_url : input?.phone_number
    if (typeof value !== 'string' || value === '')
      throw refuse(`Param library_template_button_inputs must hold an input for the button of type ${button.type}`)
    if (button.type === 'PHONE_NUMBER') return { ...button, phone_number: value }
    return { ...button, url: value, ...(value.includes('{{') && { example: [url?.url_suffix_example] }) }
  })
}
