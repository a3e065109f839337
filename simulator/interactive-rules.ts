import { bad, isObject, missing, optionalText, type Part, text } from './message-part.ts'
import { Refusal } from './refusals.ts'

const longestBody = (type: string) => (type === 'list' ? 4096 : 1024)
const mediaHeaders = new Set(['button', 'cta_url'])

/** Throws the platform's error for an `interactive` object that it does not accept. */
export function checkInteractive(part: Part): void {
  const type = text(part, 'type', 'interactive', 40)
  const check = Object.hasOwn(actions, type) ? actions[type] : undefined
  if (!check) throw bad(`Interactive type "${type}" is not supported.`)
  if (!isObject(part.action)) throw missing("interactive['action']")
  check(part.action)
  if (isObject(part.body)) text(part.body, 'text', "interactive['body']", longestBody(type))
  else if (type !== 'product') throw missing("interactive['body']")
  if (isObject(part.footer)) text(part.footer, 'text', "interactive['footer']", 60)
  if (type === 'location_request_message' && (part.header !== undefined || part.footer !== undefined))
    throw bad('A location request has a body and nothing else.')
  checkHeader(type, part.header)
}

function checkHeader(type: string, header: unknown): void {
  if (header === undefined) {
    if (type === 'product_list') throw missing("interactive['header']")
    return
  }
  if (type === 'product') throw bad('Unexpected key "header" on param "interactive".')
  if (!isObject(header)) throw bad("Param interactive['header'] must be a JSON object.")
  const kind = text(header, 'type', "interactive['header']", 20)
  if (kind === 'text') return void text(header, 'text', "interactive['header']", 60)
  if (!mediaHeaders.has(type) || !['image', 'video', 'document'].includes(kind))
    throw bad(`Header type ${kind} is not supported for interactive type ${type}.`)
  if (!isObject(header[kind])) throw missing(`interactive['header']['${kind}']`)
}

const listOf = (value: unknown): Part[] => (Array.isArray(value) ? value.filter(isObject) : [])

const actions: Record<string, (action: Part) => void> = {
  button({ buttons }) {
    const count = Array.isArray(buttons) ? buttons.length : 0
    if (count < 1 || count > 3) throw bad('Invalid buttons count. Min allowed buttons: 1, Max allowed buttons: 3')
    const replies = listOf(buttons).map(({ type, reply }) => (type === 'reply' && isObject(reply) ? reply : undefined))
    for (const reply of replies) {
      if (!reply) throw bad('Button type must be reply.')
      text(reply, 'title', "button['reply']", 20)
      text(reply, 'id', "button['reply']", 256)
    }
    if (replies.length < count) throw bad('Button type must be reply.')
    refuseRepeated(replies, 'id', 'Duplicated button reply id')
    refuseRepeated(replies, 'title', 'Duplicated button reply title')
  },
  list(action) {
    text(action, 'button', "interactive['action']", 20)
    const rows = checkSections(action, 'rows', 10)
    for (const row of rows) {
      text(row, 'id', 'row', 200)
      text(row, 'title', 'row', 24)
      optionalText(row, 'description', 'row', 72)
    }
    refuseRepeated(rows, 'id', 'Duplicated row id')
  },
  cta_url: (action) => {
    const parameters = parametersOf(action, 'cta_url')
    text(parameters, 'display_text', 'parameters', 20)
    if (!/^https?:\/\/[^\s/]/.test(text(parameters, 'url', 'parameters', 2000)))
      throw bad("Param parameters['url'] is not a valid URI.")
  },
  location_request_message({ name }) {
    if (name !== 'send_location') throw bad("Param interactive['action']['name'] must be send_location.")
  },
  flow(action) {
    const parameters = parametersOf(action, 'flow')
    if (parameters.flow_message_version !== '3') throw bad("Param parameters['flow_message_version'] must be 3.")
    text(parameters, 'flow_cta', 'parameters', 30)
    if ((parameters.flow_id === undefined) === (parameters.flow_name === undefined))
      throw bad("Exactly one of parameters['flow_id'] and parameters['flow_name'] is required.")
    const { flow_action: kind = 'navigate', flow_action_payload: payload } = parameters
    if (kind !== 'navigate' && kind !== 'data_exchange') throw bad("Param parameters['flow_action'] is not valid.")
    if (kind === 'data_exchange' && payload !== undefined)
      throw bad("Param parameters['flow_action_payload'] must be omitted for data_exchange.")
  },
  product(action) {
    text(action, 'catalog_id', "interactive['action']", 255)
    text(action, 'product_retailer_id', "interactive['action']", 255)
  },
  product_list(action) {
    text(action, 'catalog_id', "interactive['action']", 255)
    for (const item of checkSections(action, 'product_items', 30))
      text(item, 'product_retailer_id', 'product_item', 255)
  },
}

function parametersOf({ name, parameters }: Part, expected: string): Part {
  if (name !== expected) throw bad(`Param interactive['action']['name'] must be ${expected}.`)
  if (!isObject(parameters)) throw missing("interactive['action']['parameters']")
  return parameters
}

/** Returns the items of all sections. */
function checkSections(action: Part, member: string, most: number): Part[] {
  const sections = listOf(action.sections)
  if (sections.length < 1 || sections.length > 10)
    throw bad('Invalid sections count. Min allowed sections: 1, Max allowed sections: 10')
  for (const section of sections) {
    if (sections.length > 1) text(section, 'title', 'section', 24)
    else optionalText(section, 'title', 'section', 24)
    if (listOf(section[member]).length === 0) throw missing(`section['${member}']`)
  }
  const items = sections.flatMap((section) => listOf(section[member]))
  if (items.length > most) throw bad(`Total row count exceed max allowed count: ${most}`)
  return items
}

function refuseRepeated(parts: (Part | undefined)[], name: string, details: string): void {
  if (new Set(parts.map((part) => part?.[name])).size < parts.length) throw new Refusal(131009, details)
}
