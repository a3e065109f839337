import { languages } from './languages.ts'
import { Refusal, templateRefusal } from './refusals.ts'
import { checkButtons, invalid } from './template-buttons.ts'
import type { Component } from './template-component.ts'
import { asAuthentication, checkKind } from './template-kinds.ts'
import { type Variables, variablesIn } from './template-variables.ts'

export const categories = ['AUTHENTICATION', 'MARKETING', 'UTILITY']

export function checkName(name: unknown): string {
  if (typeof name !== 'string' || !/^[a-z0-9_]{1,512}$/.test(name))
    throw invalid('The name may only hold lower-case letters, digits and underscores, 512 at most')
  return name
}

export function checkLanguage(language: unknown): string {
  if (typeof language !== 'string' || !languages.has(language))
    throw invalid(`${String(language)} is not a supported language code`)
  return language
}

export function checkCategory(category: unknown): string {
  const word = typeof category === 'string' ? category.toUpperCase() : ''
  if (!categories.includes(word)) throw invalid(`Param category must be one of {${categories.join(', ')}}`)
  return word
}

const lifetimes: Record<string, [number, number]> = {
  AUTHENTICATION: [30, 900],
  UTILITY: [30, 43_200],
  MARKETING: [43_200, 2_592_000],
}

/** How long a message is tried, in seconds; -1 means 30 days. */
export function checkLifetime(seconds: unknown, category: string): { message_send_ttl_seconds?: number } {
  if (seconds === undefined || seconds === null) return {}
  const [from, to] = lifetimes[category] as [number, number]
  const isAllowed = Number.isInteger(seconds) && (seconds as number) >= from && (seconds as number) <= to
  if (!isAllowed && !(seconds === -1 && category !== 'MARKETING'))
    throw invalid(`Param message_send_ttl_seconds must be between ${from} and ${to} for ${category}`)
  return { message_send_ttl_seconds: seconds as number }
}

/** Throws the first rule that the platform enforces at once; returns the components as it stores them. */
export function checkComponents(given: unknown, category: string): Component[] {
  if (!Array.isArray(given) || given.length === 0) throw invalid('Param components must be a non-empty array')
  const components = given.map(normalized)
  const seen = new Set<string>()
  for (const { type } of components) {
    if (seen.has(type)) throw invalid(`There may be one component of type ${type}`)
    seen.add(type)
  }
  if (!seen.has('BODY')) throw invalid('Message template must have a component of type BODY')
  if (category === 'AUTHENTICATION') return asAuthentication(components)
  for (const component of components) checkComponent(component)
  checkKind(components, category)
  return components
}

function normalized(given: unknown): Component {
  if (typeof given !== 'object' || given === null) throw invalid('Param components must hold objects')
  const component = { ...(given as Component) }
  component.type = String(component.type ?? '').toUpperCase()
  if (component.format !== undefined) component.format = String(component.format).toUpperCase()
  else if (component.type === 'HEADER') component.format = 'TEXT'
  if (Array.isArray(component.cards))
    component.cards = component.cards.map((card) => ({
      components: (Array.isArray(card?.components) ? card.components : []).map(normalized),
    }))
  if (Array.isArray(component.buttons))
    component.buttons = component.buttons.map((button) => ({
      ...button,
      type: String(button?.type ?? '').toUpperCase(),
    }))
  return component
}

function checkComponent(component: Component): void {
  switch (component.type) {
    case 'HEADER':
      checkHeader(component)
      return
    case 'BODY':
      checkBody(component)
      return
    case 'FOOTER': {
      const { count } = textOf(component, 60, 2388073, 'footer')
      if (count > 0)
        throw templateRefusal(2388073, 'Footer format is not valid', "Variables aren't allowed in the footer")
      return
    }
    case 'BUTTONS':
      checkButtons(component.buttons ?? [])
      return
    case 'CAROUSEL':
      for (const { components } of component.cards ?? []) for (const part of components) checkComponent(part)
      return
    case 'LIMITED_TIME_OFFER':
    case 'CALL_PERMISSION_REQUEST':
      return
    default:
      throw invalid(`Component type ${component.type} is not known`)
  }
}

function textOf({ text, type }: Component, most: number, subcode: number, word: string): Variables {
  if (typeof text !== 'string' || text.trim() === '')
    throw templateRefusal(
      subcode,
      `The ${word} is not valid`,
      `Component of type ${type} is missing expected field(s) (text)`,
    )
  if (text.length > most)
    throw templateRefusal(2388040, 'Character limit exceeded', `The ${word} has more than ${most} characters`)
  const variables = variablesIn(text)
  if (variables.fault) throw templateRefusal(subcode, `The ${word} is not valid`, variables.fault)
  return variables
}

/** Flat and nested lists both occur; named parameters are objects. */
function examplesIn(example: Record<string, unknown> | undefined, name: string): number {
  const named = example?.[`${name}_named_params`]
  if (Array.isArray(named)) return named.filter((each) => each?.example).length
  const given = example?.[name]
  if (!Array.isArray(given)) return 0
  return (Array.isArray(given[0]) ? given[0] : given).filter((each: unknown) => typeof each === 'string' && each !== '')
    .length
}

function requireExamples({ example, type }: Component, name: string, count: number): void {
  if (count > 0 && examplesIn(example, name) !== count)
    throw templateRefusal(
      2388043,
      'Missing sample parameters',
      `Component of type ${type} needs an example value for each variable in example.${name}`,
    )
}

function checkHeader(component: Component): void {
  if (component.format === 'LOCATION') return
  if (component.format === 'TEXT') {
    const { count } = textOf(component, 60, 2388047, 'header')
    if (count > 1)
      throw templateRefusal(2388047, 'Header format is not valid', 'The header can hold one variable at most')
    requireExamples(component, 'header_text', count)
    return
  }
  if (!['IMAGE', 'VIDEO', 'DOCUMENT'].includes(component.format ?? ''))
    throw templateRefusal(2388047, 'Header format is not valid', `${component.format} is not a header format`)
  if (examplesIn(component.example, 'header_handle') === 0)
    throw templateRefusal(
      2388043,
      'Missing sample parameters',
      'A media header needs a sample in example.header_handle',
    )
}

/** A variable followed only by punctuation still counts as last. */
const startsWithVariable = /^\s*\{\{/
const endsWithVariable = /\}\}[\s\p{P}]*$/u

function checkBody(component: Component): void {
  const { count } = textOf(component, 1024, 2388072, 'body')
  const text = component.text as string
  if (startsWithVariable.test(text) || endsWithVariable.test(text))
    throw templateRefusal(
      2388299,
      "Variables can't be at the start or end of the template",
      "Variables can't be at the start or end of the template",
    )
  const words = text.trim().split(/\s+/).length
  if (count > 0 && words < 3 * count + 1)
    throw templateRefusal(2388293, 'Too many variables', 'This template has too many variables for its length')
  requireExamples(component, 'body_text', count)
}

/** Numbered and named variables cannot be mixed in any part. */
export function formatOf(components: Component[], given: unknown): string {
  const texts = components.flatMap(({ text, cards = [] }) => [
    text,
    ...cards.flatMap((card) => card.components.map((part) => part.text)),
  ])
  const found = texts.flatMap((text) => (typeof text === 'string' ? variablesIn(text).names : []))
  const named = found.filter((name) => !/^\d+$/.test(name))
  if (named.length > 0 && named.length < found.length)
    throw new Refusal(100, 'Numbered and named variables cannot be mixed')
  const format = String(given ?? 'POSITIONAL').toUpperCase()
  if ((format === 'NAMED') !== named.length > 0 && found.length > 0)
    throw new Refusal(100, `Param parameter_format ${format} does not fit the variables`)
  return format
}
