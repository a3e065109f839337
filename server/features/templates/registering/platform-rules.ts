import { distinctVariables, hasLooseBraces, isPositional, variablesIn } from '../content/variables.ts'
import type { Button, Component, NewTemplate, Warning } from '../schema.ts'

/** What the platform is known to refuse. Its rules change without notice, so these are warnings, never refusals. */

const limits = { body: 1024, header: 60, footer: 60, label: 25, url: 2000, phoneNumber: 20 }
const limitsOfButtons = { QUICK_REPLY: 10, URL: 2, PHONE_NUMBER: 1 }
const maxButtons = 10
/** More warnings than this do not help. */
const maxWarnings = 100

export function platformWarnings({ category, components }: Pick<NewTemplate, 'category' | 'components'>): Warning[] {
  const place = ['body', 'components']
  const warnings = components.flatMap((component, i) =>
    warningsOf[component.type](component).map(({ at, msg }) => ({ loc: [...place, String(i), ...at], msg })),
  )
  warnings.push(...mixedFindings(components))
  if (!components.some(({ type }) => type === 'BODY'))
    warnings.push({ loc: place, msg: 'The platform wants a component of the type BODY' })
  for (const [i, { type }] of components.entries())
    if (components.findIndex((other) => other.type === type) < i)
      warnings.push({
        loc: [...place, String(i), 'type'],
        msg: `The platform takes one ${type} component, not several`,
      })
  if (category === 'AUTHENTICATION')
    warnings.push({
      loc: ['body', 'category'],
      msg: 'The platform writes authentication templates itself and refuses those with a text of their own',
    })
  return warnings.slice(0, maxWarnings)
}

interface Finding {
  at: string[]
  msg: string
}
const finding = (msg: string, ...at: string[]): Finding => ({ at, msg })

const warningsOf: Record<Component['type'], (component: Component) => Finding[]> = {
  HEADER: headerFindings,
  BODY: bodyFindings,
  FOOTER: footerFindings,
  BUTTONS: buttonsFindings,
}

function headerFindings({ format = 'TEXT', text, example }: Component): Finding[] {
  if (format !== 'TEXT') {
    if (isFilled(example?.header_handle)) return []
    return [
      finding(
        `The platform wants an example file for a header of the format ${format}, which cannot be made up: give the handle of an uploaded one as header_handle`,
        'example',
      ),
    ]
  }
  if (!text) return [finding('The platform wants the text of a header of the format TEXT', 'text')]
  const found = [...lengthFindings('A header', text, limits.header), ...variableFindings(text)]
  if (distinctVariables(text).length > 1) found.push(finding('A header takes one variable at most', 'text'))
  return [...found, ...exampleFindings(text, example?.header_text_named_params ?? example?.header_text)]
}

function bodyFindings(component: Component): Finding[] {
  const { text, example } = component
  if (!text) {
    // The platform writes the body of authentication templates.
    if ('add_security_recommendation' in component) return []
    return [finding('The platform wants the text of a body', 'text')]
  }
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

function buttonsFindings({ buttons = [] }: Component): Finding[] {
  if (buttons.length === 0) return [finding('The platform wants at least one button', 'buttons')]
  const found = buttons.flatMap((button, i) =>
    buttonFindings(button).map(({ at, msg }) => finding(msg, 'buttons', String(i), ...at)),
  )
  if (buttons.length > maxButtons) found.push(finding(`A template takes ${maxButtons} buttons at most`, 'buttons'))
  for (const [type, most] of Object.entries(limitsOfButtons))
    if (buttons.filter((button) => button.type === type).length > most)
      found.push(finding(`A template takes ${most} ${type} button${most > 1 ? 's' : ''} at most`, 'buttons'))
  const changes = buttons.filter(
    ({ type }, i) => i > 0 && (type === 'QUICK_REPLY') !== (buttons[i - 1]?.type === 'QUICK_REPLY'),
  )
  if (changes.length > 1)
    found.push(finding('The platform wants quick replies to stand together, before or after the others', 'buttons'))
  return found
}

function buttonFindings({ type, text, url, phone_number, example }: Button): Finding[] {
  const found: Finding[] = []
  if (!text) found.push(finding('The platform wants a label', 'text'))
  else if (lengthOf(text) > limits.label) found.push(tooLong('A label', limits.label, 'text'))
  if (type === 'PHONE_NUMBER') {
    if (!phone_number) found.push(finding('The platform wants the number that the button calls', 'phone_number'))
    else if (phone_number.length > limits.phoneNumber)
      found.push(tooLong('A phone number', limits.phoneNumber, 'phone_number'))
  }
  if (type === 'URL' && url !== undefined) found.push(...urlFindings(url, example))
  return found
}

function urlFindings(url: string, example: unknown): Finding[] {
  const found: Finding[] = []
  if (lengthOf(url) > limits.url) found.push(tooLong('An address', limits.url, 'url'))
  if (!/^https?:\/\//i.test(url)) found.push(finding('The platform wants an address that starts with https://', 'url'))
  if (/^https?:\/\/(www\.)?wa\.me(\/|$)/i.test(url)) found.push(finding('The platform refuses wa.me addresses', 'url'))
  const variables = variablesIn(url)
  if (variables.length > 1 || (variables.length === 1 && !url.trimEnd().endsWith('}}')))
    found.push(finding('An address takes one variable at most, at its end', 'url'))
  if (example !== undefined && variables.length > 0 && !isFilled(example))
    found.push(finding('The platform wants an example of the whole address', 'example'))
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

function lengthFindings(what: string, text: string, most: number): Finding[] {
  return lengthOf(text) > most ? [tooLong(what, most, 'text')] : []
}

const tooLong = (what: string, most: number, at: string) =>
  finding(`${what} has ${most} characters at most at the platform`, at)

const lengthOf = (text: string): number => [...text].length
const isFilled = (value: unknown): boolean => Array.isArray(value) && value.length > 0
