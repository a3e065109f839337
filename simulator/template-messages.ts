import { Refusal } from './refusals.ts'
import type { Component } from './template-component.ts'
import { fill, variablesIn } from './template-variables.ts'
import type { Template } from './templates.ts'

type Parameter = Record<string, unknown>
type Given = { type?: unknown; sub_type?: unknown; index?: unknown; parameters?: unknown; cards?: unknown }
type ParametersOf = (type: string, index?: number) => Parameter[]

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
  const text = checkParts(template.components, components, version)
  if (template.category === 'AUTHENTICATION') checkPassword(components)
  if (text.length > 1024) throw new Refusal(132005, `Translated text too long: ${text.length} of 1024 characters`)
  return text
}

/** A one-time password is the only parameter of its template. */
function checkPassword(components: Given[]): void {
  const parameters = components.flatMap(({ parameters: given }): unknown[] => (Array.isArray(given) ? given : []))
  if (parameters.some((parameter) => String((parameter as Parameter | null)?.text ?? '').length > 15))
    throw new Refusal(131009, 'A parameter of an authentication template has more than 15 characters')
}

/** Checks the parameters of each part; returns the text of the body. */
function checkParts(parts: Component[], given: Given[], version: number): string {
  const parametersOf: ParametersOf = (type, index) => {
    const component = given.find(
      (each) =>
        String(each?.type).toLowerCase() === type && (index === undefined || Number(each.index ?? -1) === index),
    )
    return Array.isArray(component?.parameters) ? component.parameters : []
  }
  let text = ''
  for (const part of parts) {
    if (part.type === 'HEADER' && part.format !== 'TEXT') checkMedia(parametersOf('header'), part.format ?? '')
    else if (part.type === 'HEADER') checkText(parametersOf('header'), part.text ?? '', 'header', version)
    else if (part.type === 'BODY') text = checkText(parametersOf('body'), part.text ?? '', 'body', version)
    else if (part.type === 'LIMITED_TIME_OFFER') checkOffer(part, parametersOf('limited_time_offer'))
    else if (part.type === 'CAROUSEL') checkCards(part, given, version)
    else
      for (const [index, button] of (part.buttons ?? []).entries())
        checkButton(button, parametersOf('button', index), index, version)
  }
  return text
}

function checkButton(button: Record<string, unknown>, parameters: Parameter[], index: number, version: number): void {
  const where = `button at index ${index}`
  const type = String(button.type)
  const [parameter] = parameters
  const url = type === 'URL' ? String(button.url ?? '') : ''
  const needsParameter = url.includes('{{') || type === 'COPY_CODE' || type === 'FLOW' || type === 'MPM'
  if (needsParameter && !parameter)
    throw new Refusal(
      131008,
      `buttons: Button at index ${index} of type ${type.slice(0, 1)}${type.slice(1).toLowerCase()} requires a parameter`,
    )
  if (url.includes('{{')) checkText(parameters, url, where, version)
  if (type === 'COPY_CODE') {
    const code = parameter?.coupon_code
    if (parameter?.type !== 'coupon_code' || typeof code !== 'string' || code === '')
      throw new Refusal(132012, `${where}: Format mismatch, expected COUPON_CODE`)
    if (code.length > 15) throw new Refusal(131009, `${where}: coupon_code has more than 15 characters`)
  }
  if (type === 'FLOW' || type === 'MPM') checkAction(type, parameter as Parameter, where)
}

function checkAction(type: string, { type: given, action }: Parameter, where: string): void {
  if (given !== 'action' || typeof action !== 'object' || action === null)
    throw new Refusal(132012, `${where}: Format mismatch, expected ACTION`)
  if (type !== 'MPM') return
  const { sections, thumbnail_product_retailer_id: thumbnail } = action as Record<string, unknown>
  const list = Array.isArray(sections) ? sections : []
  const products = list.flatMap((section) => (Array.isArray(section?.product_items) ? section.product_items : []))
  if (!thumbnail) throw new Refusal(131008, `${where}: thumbnail_product_retailer_id is required`)
  if (list.length < 1 || list.length > 10 || products.length < 1 || products.length > 30)
    throw new Refusal(131009, `${where}: there may be 1 to 10 sections with 1 to 30 products`)
  if (list.some((section) => (list.length > 1 && !section.title) || String(section.title ?? '').length > 24))
    throw new Refusal(131009, `${where}: a section needs a title of 24 characters at most`)
}

function checkOffer({ limited_time_offer: offer }: Component, [parameter]: Parameter[]): void {
  if (!(offer as { has_expiration?: unknown } | undefined)?.has_expiration) return
  const given = parameter?.limited_time_offer as { expiration_time_ms?: unknown } | undefined
  if (!parameter) throw new Refusal(131008, 'limited_time_offer: Parameter expiration_time_ms is required')
  if (!Number.isSafeInteger(given?.expiration_time_ms))
    throw new Refusal(132012, 'limited_time_offer: expiration_time_ms is not a time')
}

function checkCards({ cards = [] }: Component, given: Given[], version: number): void {
  const sent = given.find(({ type }) => String(type).toLowerCase() === 'carousel')?.cards
  const list = Array.isArray(sent) ? sent : []
  if (list.length !== cards.length)
    throw new Refusal(
      132000,
      `carousel: number of cards (${list.length}) does not match the expected (${cards.length})`,
    )
  for (const [i, { components }] of cards.entries()) {
    const card = list.find((each) => Number(each?.card_index) === i)
    if (!card) throw new Refusal(131008, `carousel: there is no card with the card_index ${i}`)
    checkParts(components, Array.isArray(card.components) ? card.components : [], version)
  }
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
  const media = (parameter[type] ?? {}) as Record<string, unknown>
  if (type === 'location') {
    for (const name of ['latitude', 'longitude'])
      if (media[name] === undefined || media[name] === '' || !Number.isFinite(Number(media[name])))
        throw new Refusal(131008, `header: Parameter of type location needs a ${name}`)
  } else if (!media.id && !media.link)
    throw new Refusal(131008, `header: Parameter of type ${type} needs an id or a link`)
}

/** The media ids in the parameters of a message, with what each is sent as. */
export function mediaIdsIn(components: Given[]): { type: string; id: string }[] {
  return components.flatMap(({ parameters, cards }) => [
    ...(Array.isArray(parameters) ? parameters : []).flatMap((parameter) => {
      const type = String(parameter?.type)
      const id = parameter?.[type]?.id
      return typeof id === 'string' && id !== '' ? [{ type, id }] : []
    }),
    ...(Array.isArray(cards) ? cards : []).flatMap((card) =>
      mediaIdsIn(Array.isArray(card?.components) ? card.components : []),
    ),
  ])
}
