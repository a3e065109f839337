import { Refusal } from './refusals.ts'
import { fill, variablesIn } from './template-variables.ts'
import type { Template } from './templates.ts'

type Parameter = Record<string, unknown>
type Given = { type?: unknown; sub_type?: unknown; index?: unknown; parameters?: unknown }

/** Throws the platform's error when a template cannot be sent, or not with these parameters; returns its text. */
export function checkTemplateMessage(
  template: Template | undefined,
  name: string,
  language: string,
  components: Given[],
  version: number,
): string {
  if (!template || template.status === 'PENDING' || template.status === 'REJECTED')
    throw new Refusal(132001, `template name (${name}) does not exist in ${language}`)
  if (template.status === 'PAUSED') throw new Refusal(132015, `Template ${name} is paused due to low quality`)
  if (template.status === 'DISABLED') throw new Refusal(132016, `Template ${name} is disabled due to low quality`)
  if (template.status !== 'APPROVED') throw new Refusal(132001, `template name (${name}) does not exist in ${language}`)

  const parametersOf = (type: string, index?: number): Parameter[] => {
    const component = components.find(
      (each) =>
        String(each?.type).toLowerCase() === type && (index === undefined || Number(each.index ?? -1) === index),
    )
    return Array.isArray(component?.parameters) ? component.parameters : []
  }
  let text = ''
  for (const component of template.components) {
    if (component.type === 'HEADER' && component.format !== 'TEXT')
      checkMedia(parametersOf('header'), component.format ?? '')
    else if (component.type === 'HEADER') checkText(parametersOf('header'), component.text ?? '', 'header', version)
    else if (component.type === 'BODY') text = checkText(parametersOf('body'), component.text ?? '', 'body', version)
    else if (component.type === 'BUTTONS')
      for (const [index, button] of (component.buttons ?? []).entries()) {
        const url = button.type === 'URL' ? String(button.url ?? '') : ''
        if (url.includes('{{') && parametersOf('button', index).length === 0)
          throw new Refusal(131008, `buttons: Button at index ${index} of type Url requires a parameter`)
        if (url.includes('{{')) checkText(parametersOf('button', index), url, `button at index ${index}`, version)
      }
  }
  if (text.length > 1024) throw new Refusal(132005, `Translated text too long: ${text.length} of 1024 characters`)
  return text
}

function checkText(parameters: Parameter[], text: string, where: string, version: number): string {
  const { names } = variablesIn(text)
  if (parameters.length !== names.length)
    throw new Refusal(
      132000,
      `${where}: number of localizable_params (${parameters.length}) does not match the expected number of params (${names.length})`,
    )
  const values: Record<string, string> = {}
  for (const [i, parameter] of parameters.entries()) {
    const name = typeof parameter?.parameter_name === 'string' ? parameter.parameter_name : String(i + 1)
    if (!names.includes(name)) throw new Refusal(132012, `${where}: there is no parameter named ${name}`)
    values[name] = textOf(parameter, where, version)
  }
  return fill(text, values)
}

function textOf(parameter: Parameter, where: string, version: number): string {
  const { type } = parameter
  const fallback = (parameter[type as string] as { fallback_value?: unknown } | undefined)?.fallback_value
  if (type !== 'text' && typeof fallback !== 'string')
    throw new Refusal(132012, `${where}: Format mismatch, expected TEXT, received ${String(type).toUpperCase()}`)
  const value = type === 'text' ? parameter.text : fallback
  if (typeof value !== 'string' || value === '')
    throw new Refusal(131008, `${where}: Parameter of type text is missing text value`)
  if (/[\n\r\t]| {5}/.test(value))
    throw new Refusal(
      version >= 23 ? 132018 : 100,
      'Param text cannot have new-line/tab characters or more than 4 consecutive spaces',
    )
  return value
}

function checkMedia(parameters: Parameter[], format: string): void {
  const [parameter] = parameters
  const type = format.toLowerCase()
  if (parameter?.type !== type)
    throw new Refusal(
      132012,
      `header: Format mismatch, expected ${format}, received ${String(parameter?.type ?? 'UNKNOWN').toUpperCase()}`,
    )
  const media = parameter[type] as { id?: unknown; link?: unknown } | undefined
  if (type !== 'location' && !media?.id && !media?.link)
    throw new Refusal(131008, `header: Parameter of type ${type} needs an id or a link`)
}
