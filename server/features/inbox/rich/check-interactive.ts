import { type Fault, InvalidInput } from '../../../platform/errors.ts'
import type { Interactive } from './schema.ts'

type Member = Exclude<keyof Interactive, 'type'>

interface TypeRules {
  needs: Member[]
  allows: Member[]
  longestBody: number
}

const decorated: Member[] = ['header', 'footer']

/** What the platform requires of each type, besides the lengths and counts in the schema. */
const rules: Record<Interactive['type'], TypeRules> = {
  button: { needs: ['buttons'], allows: decorated, longestBody: 1024 },
  list: { needs: ['label', 'sections'], allows: decorated, longestBody: 4096 },
  cta_url: { needs: ['label', 'url'], allows: decorated, longestBody: 1024 },
  location_request_message: { needs: [], allows: [], longestBody: 1024 },
  flow: { needs: ['label', 'flow'], allows: decorated, longestBody: 1024 },
  product: { needs: ['catalog_id', 'product_retailer_id'], allows: ['footer'], longestBody: 1024 },
  product_list: { needs: ['header', 'catalog_id', 'sections'], allows: ['footer'], longestBody: 1024 },
}

const mostRows = 10
const mostProducts = 30

/** Throws every fault that the platform would refuse the message for, each with its location. */
export function checkInteractive(message: Interactive, body: string): void {
  const faults: Fault[] = []
  const add = (loc: (string | number)[], msg: string, type = 'value_error') =>
    faults.push({ loc: ['body', 'interactive', ...loc.map(String)], msg, type })
  const { type } = message
  const { needs, allows, longestBody } = rules[type]

  for (const member of needs)
    if (message[member] === undefined) add([member], `A message of type ${type} needs ${member}`, 'missing')
  for (const member of Object.keys(message) as (keyof Interactive)[])
    if (member !== 'type' && !needs.includes(member) && !allows.includes(member))
      add([member], `A message of type ${type} has no ${member}`)
  if (body.trim() === '' && type !== 'product')
    faults.push({ loc: ['body', 'body'], msg: 'body must not be empty', type: 'string_too_short' })
  if ([...body].length > longestBody)
    faults.push({
      loc: ['body', 'body'],
      msg: `body must have at most ${longestBody} characters with ${type}`,
      type: 'string_too_long',
    })
  if (message.header) checkHeader(message.header, type, add)
  if (message.buttons && type === 'button')
    for (const member of ['id', 'title'] as const)
      addRepeated(
        message.buttons.map((button, i) => [['buttons', i, member], button[member]]),
        add,
      )
  if (message.sections && type === 'list') checkSections(message.sections, 'rows', mostRows, add)
  if (message.sections && type === 'product_list')
    checkSections(message.sections, 'product_retailer_ids', mostProducts, add)
  if (message.flow && type === 'flow') checkFlow(message.flow, add)
  if (faults.length > 0) throw new InvalidInput(faults)
}

type Add = (loc: (string | number)[], msg: string, type?: string) => void

function checkHeader(header: NonNullable<Interactive['header']>, type: Interactive['type'], add: Add): void {
  if (header.type !== 'text' && type !== 'button' && type !== 'cta_url')
    add(['header', 'type'], `The header of a message of type ${type} must be text`)
  const [needed, other] = header.type === 'text' ? (['text', 'link'] as const) : (['link', 'text'] as const)
  if (header[needed] === undefined)
    add(['header', needed], `A header of type ${header.type} needs ${needed}`, 'missing')
  if (header[other] !== undefined) add(['header', other], `A header of type ${header.type} has no ${other}`)
}

function checkSections(
  sections: NonNullable<Interactive['sections']>,
  member: 'rows' | 'product_retailer_ids',
  most: number,
  add: Add,
): void {
  const other = member === 'rows' ? 'product_retailer_ids' : 'rows'
  for (const [i, section] of sections.entries()) {
    if (sections.length > 1 && section.title === undefined)
      add(['sections', i, 'title'], 'Each of several sections needs a title', 'missing')
    if (section[member] === undefined) add(['sections', i, member], `The section needs ${member}`, 'missing')
    if (section[other] !== undefined) add(['sections', i, other], `The section has no ${other}`)
  }
  const total = sections.reduce((sum, section) => sum + (section[member]?.length ?? 0), 0)
  if (total > most) add(['sections'], `All sections together have ${total} ${member}: at most ${most} are allowed`)
  addRepeated(
    sections.flatMap(({ rows = [] }, i) => rows.map(({ id }, j): Located => [['sections', i, 'rows', j, 'id'], id])),
    add,
  )
}

type Located = [loc: (string | number)[], value: string]

function addRepeated(values: Located[], add: Add): void {
  const seen = new Set<string>()
  for (const [loc, value] of values) {
    if (seen.has(value)) add(loc, `${value} is used twice`)
    seen.add(value)
  }
}

function checkFlow({ id, name, action, screen, data }: NonNullable<Interactive['flow']>, add: Add): void {
  if ((id === undefined) === (name === undefined)) add(['flow', 'id'], 'Send either id or name of the flow')
  if (action === 'data_exchange' && screen !== undefined)
    add(['flow', 'screen'], 'With data_exchange, your endpoint chooses the first screen: leave screen out')
  if (data !== undefined && screen === undefined) add(['flow', 'screen'], 'data needs the screen it is for', 'missing')
}
