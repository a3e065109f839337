import type { Component } from '../content/component-schema.ts'
import { distinctVariables, hasLooseBraces, isPositional, variablesIn } from '../content/variables.ts'
import type { Category, NewTemplate, Warning } from '../schema.ts'
import { buttonsFindings } from './button-rules.ts'
import { type Finding, finding, isFilled, lengthFindings } from './findings.ts'
import { kindFindings } from './kind-rules.ts'

/** What the platform is known to refuse. Its rules change without notice, so these are warnings, never refusals. */

const limits = { body: 1024, header: 60, footer: 60 }
/** More warnings than this do not help. */
const maxWarnings = 100

/** Seconds for which the platform tries to deliver a message, from and to. */
const lifetimes: Record<Category, [number, number]> = {
  AUTHENTICATION: [30, 900],
  UTILITY: [30, 43_200],
  MARKETING: [43_200, 2_592_000],
}

function lifetimeWarnings(category: Category, seconds: number | null): Warning[] {
  const [from, to] = lifetimes[category]
  // -1 means 30 days.
  const isAllowed = seconds === null || (seconds >= from && seconds <= to) || (seconds === -1 && to < 2_592_000)
  if (isAllowed) return []
  const msg = `The platform takes ${from.toLocaleString('en')} to ${to.toLocaleString('en')} seconds for the category ${category}`
  return [{ loc: ['body', 'message_send_ttl_seconds'], msg }]
}

export function platformWarnings({
  category,
  components,
  message_send_ttl_seconds = null,
}: Pick<NewTemplate, 'category' | 'components' | 'message_send_ttl_seconds'>): Warning[] {
  const place = ['body', 'components']
  const findings = [...componentFindings(components, category), ...kindFindings(category, components)]
  const warnings = findings.map(({ at, msg }) => ({ loc: [...place, ...at], msg }))
  warnings.push(...lifetimeWarnings(category, message_send_ttl_seconds), ...mixedFindings(components))
  if (!components.some(({ type }) => type === 'BODY'))
    warnings.push({ loc: place, msg: 'The platform wants a component of the type BODY' })
  for (const [i, { type }] of components.entries())
    if (components.findIndex((other) => other.type === type) < i)
      warnings.push({
        loc: [...place, String(i), 'type'],
        msg: `The platform takes one ${type} component, not several`,
      })
  return warnings.slice(0, maxWarnings)
}

function componentFindings(components: Component[], category: Category): Finding[] {
  return components.flatMap((component, i) => {
    // The platform writes the texts of authentication templates.
    const rule = category === 'AUTHENTICATION' && component.type !== 'BUTTONS' ? undefined : rules[component.type]
    return (rule?.(component, category) ?? []).map(({ at, msg }) => finding(msg, String(i), ...at))
  })
}

const rules: Partial<Record<Component['type'], (component: Component, category: Category) => Finding[]>> = {
  HEADER: headerFindings,
  BODY: bodyFindings,
  FOOTER: footerFindings,
  BUTTONS: buttonsFindings,
  CAROUSEL: ({ cards = [] }, category) =>
    cards.flatMap(({ components }, i) =>
      componentFindings(components, category).map(({ at, msg }) =>
        finding(msg, 'cards', String(i), 'components', ...at),
      ),
    ),
}

function headerFindings({ format = 'TEXT', text, example }: Component): Finding[] {
  if (format === 'LOCATION') return []
  if (format !== 'TEXT') {
    if (isFilled(example?.header_handle)) return []
    return [
      finding(
        `The platform wants an example file for a header of the format ${format}, which cannot be made up: give the handle of an uploaded one (POST /templates/media) as header_handle`,
        'example',
      ),
    ]
  }
  if (!text) return [finding('The platform wants the text of a header of the format TEXT', 'text')]
  const found = [...lengthFindings('A header', text, limits.header), ...variableFindings(text)]
  if (distinctVariables(text).length > 1) found.push(finding('A header takes one variable at most', 'text'))
  return [...found, ...exampleFindings(text, example?.header_text_named_params ?? example?.header_text)]
}

function bodyFindings({ text, example }: Component): Finding[] {
  if (!text) return [finding('The platform wants the text of a body', 'text')]
  const found = [...lengthFindings('A body', text, limits.body), ...variableFindings(text)]
  // Punctuation and spaces do not count: the platform wants words around its variables.
  if (/^[^\p{L}\p{N}{}]*\{\{[^{}]*\}\}/u.test(text) || /\{\{[^{}]*\}\}[^\p{L}\p{N}{}]*$/u.test(text))
    found.push(finding('The platform refuses a body that starts or ends with a variable', 'text'))
  if (/\}\}\s*\{\{/.test(text)) found.push(finding('The platform refuses variables with nothing between them', 'text'))
  const variables = variablesIn(text).length
  const words = text.trim().split(/\s+/).length
  if (variables > 0 && words < 3 * variables + 1)
    found.push(finding('The platform may refuse it: there are too many variables for the length of the text', 'text'))
  const given = example?.body_text_named_params ?? example?.body_text
  return [...found, ...exampleFindings(text, Array.isArray(given) && Array.isArray(given[0]) ? given[0] : given)]
}

function footerFindings({ text }: Component): Finding[] {
  if (!text) return [finding('The platform wants the text of a footer', 'text')]
  const found = lengthFindings('A footer', text, limits.footer)
  if (variablesIn(text).length > 0) found.push(finding('A footer takes no variables', 'text'))
  return found
}

function variableFindings(text: string): Finding[] {
  const names = distinctVariables(text)
  if (hasLooseBraces(text)) return [finding('The braces of a variable must stand in pairs, as in {{1}}', 'text')]
  const named = names.filter((name) => !isPositional(name))
  if (named.some((name) => !/^[a-z_][a-z0-9_]*$/.test(name)))
    return [
      finding(
        'The name of a variable has only lower-case letters, digits and underscores, as in {{first_name}}',
        'text',
      ),
    ]
  if (named.length > 0 && named.length < names.length) return [finding(mixedVariables, 'text')]
  if (named.length === 0 && names.some((name, i) => Number(name) !== i + 1))
    return [finding('The platform wants variables numbered from 1 without gaps', 'text')]
  return []
}

const mixedVariables = 'The platform takes either numbers or names as variables of a template, not both'

/** Header and body name their variables in the same way; addresses of buttons always take numbers. */
function mixedFindings(components: Component[]): Warning[] {
  const isNamed = (text: string) => variablesIn(text).some((name) => !isPositional(name))
  const texts = components.flatMap(({ type, text = '' }, i) =>
    (type === 'HEADER' || type === 'BODY') && variablesIn(text).length > 0 ? [{ i, isNamed: isNamed(text) }] : [],
  )
  return texts
    .filter((each) => each.isNamed !== texts[0]?.isNamed)
    .map(({ i }) => ({ loc: ['body', 'components', String(i), 'text'], msg: mixedVariables }))
}

function exampleFindings(text: string, given: unknown): Finding[] {
  const wanted = distinctVariables(text).length
  if (given === undefined || wanted === 0) return []
  const count = Array.isArray(given) ? given.length : 0
  return count === wanted ? [] : [finding(`There are ${wanted} variables but ${count} example values`, 'example')]
}
