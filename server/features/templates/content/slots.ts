import type { TemplateVariables } from '../schema.ts'
import { variablesIn } from './variables.ts'

/** A variable of a template that has to be filled. */
export interface Slot {
  kind: 'text' | 'media' | 'url' | 'code'
  /** `header`, `body`, or `button.0` for the first button. */
  where: string
  /** The name between the braces; empty for the file of a media header. */
  name: string
}

export type TemplateComponents = Record<string, unknown>[]

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
export const wordOf = (value: unknown): string => textOf(value).toUpperCase()
export const buttonsOf = (component: Record<string, unknown>): Record<string, unknown>[] =>
  Array.isArray(component.buttons) ? component.buttons : []

const known = new WeakMap<TemplateComponents, Slot[]>()

/** Every variable of a template, in order, each once. Campaigns call this for each message. */
export function slotsOf(components: TemplateComponents): Slot[] {
  const slots = known.get(components) ?? findSlots(components)
  known.set(components, slots)
  return slots
}

function findSlots(components: TemplateComponents): Slot[] {
  const slots = components.flatMap((component): Slot[] => {
    const type = wordOf(component.type)
    const inText = (where: string): Slot[] =>
      variablesIn(textOf(component.text)).map((name) => ({ kind: 'text', where, name }))
    if (type === 'BODY') return inText('body')
    if (type === 'BUTTONS') return buttonsOf(component).flatMap(slotsOfButton)
    if (type !== 'HEADER') return []
    const isText = component.format === undefined || component.format === null || wordOf(component.format) === 'TEXT'
    return isText ? inText('header') : [{ kind: 'media', where: 'header', name: '' }]
  })
  const seen = new Set<string>()
  return slots.filter(({ where, name }) => !seen.has(`${where} ${name}`) && seen.add(`${where} ${name}`))
}

function slotsOfButton(button: Record<string, unknown>, index: number): Slot[] {
  const where = `button.${index}`
  const type = wordOf(button.type)
  if (type === 'URL') return variablesIn(textOf(button.url)).map((name) => ({ kind: 'url', where, name }))
  if (type === 'OTP') return [{ kind: 'url', where, name: '1' }]
  return type === 'COPY_CODE' ? [{ kind: 'code', where, name: '1' }] : []
}

/** The keys under which a value for this variable is looked up: its own, then the general one. */
const ownKey = ({ where, name }: Slot) => (name === '' ? where : `${where}.${name}`)
const generalKey = ({ where, name }: Slot) => (name === '' ? where : name)

export const valueFor = (slot: Slot, values: TemplateVariables): string | undefined =>
  values[ownKey(slot)] ?? values[generalKey(slot)]

/** A part of a value: literal text, or a field of the contact with a fallback. */
export type Piece = { text: string } | ContactPiece
export type ContactPiece = ({ field: 'name' | 'phone_number' } | { customField: string }) & { otherwise?: string }

/** A value to render per recipient; without parts there is nothing to render. */
export interface Filling {
  key: string
  pieces: Piece[]
}

/** The values to render per recipient: the caller's, otherwise the default rule. */
export function fillingsOf(components: TemplateComponents, given: TemplateVariables | null): Filling[] {
  const fillings = new Map<string, Filling>()
  for (const slot of slotsOf(components)) {
    const key = given && Object.hasOwn(given, ownKey(slot)) ? ownKey(slot) : generalKey(slot)
    const wanted = given && Object.hasOwn(given, key) ? given[key] : undefined
    fillings.set(key, { key, pieces: wanted === undefined ? usualPieces(slot) : (readValue(wanted) ?? []) })
  }
  return [...fillings.values()]
}

function usualPieces({ kind, name }: Slot): Piece[] {
  if (kind === 'media') return []
  return name === '1' ? [{ field: 'name' }] : [{ customField: name }]
}

const invisible = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u

/** Whether a reader would see nothing. */
export const isBlank = (text: string): boolean => invisible.test(text)

const placeholder = /\{\{\s*([^{}]*?)\s*\}\}/
const customField = 'contact.custom_fields.'

/** The parts of a value as the caller wrote it; nothing when it refers to an unknown contact field. */
export function readValue(value: string): Piece[] | undefined {
  const pieces: Piece[] = []
  // Every second part is what was between braces.
  for (const [i, part] of value.split(placeholder).entries()) {
    if (i % 2 === 0) {
      if (/\{\{|\}\}/.test(part)) return undefined
      if (part !== '') pieces.push({ text: part.replace(/\s+/g, ' ') })
    } else {
      const piece = readContactPiece(part)
      if (!piece) return undefined
      pieces.push(piece)
    }
  }
  return pieces
}

function readContactPiece(inside: string): ContactPiece | undefined {
  const [, member = '', words] = /^([^|]*?)(?:\s*\|\s*([^|]*))?$/.exec(inside) ?? []
  // A blank fallback would send something blank.
  if (words !== undefined && isBlank(words)) return undefined
  const otherwise = words === undefined ? {} : { otherwise: words.replace(/\s+/g, ' ') }
  if (member === 'contact.name') return { field: 'name', ...otherwise }
  if (member === 'contact.phone_number') return { field: 'phone_number', ...otherwise }
  if (member.startsWith(customField) && member.length > customField.length)
    return { customField: member.slice(customField.length), ...otherwise }
  return undefined
}
