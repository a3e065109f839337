import { unguardCell } from '../../../platform/csv.ts'
import type { CsvRecord } from '../../../platform/csv-parser.ts'
import { InvalidInput, invalid } from '../../../platform/errors.ts'
import { maxDepth, refuseUnstorable } from '../../../platform/http/json-body.ts'
import { depthAtMost } from '../../../platform/http/validation.ts'
import { isTimeZone, parseInstant } from '../../../platform/instants.ts'
import { tagsFromCell } from '../exports/spreadsheet-cells.ts'
import { type Contact, limits, stages } from '../schema.ts'
import type { Columns } from './columns.ts'
import type { RowError } from './schema.ts'

/** What a row says about its contact; empty members are undefined. */
export interface ImportedContact {
  phone_number: string
  name: string | undefined
  first_name: string | undefined
  tags: string[] | undefined
  notes: string | undefined
  stage: Contact['stage'] | undefined
  ai_handling: boolean | undefined
  opted_out_at: string | undefined
  time_zone: string | undefined
  custom_fields: Record<string, unknown> | undefined
}

/** E.164, or undefined when the text cannot be a phone number. */
export type NormalizePhone = (text: string) => string | undefined

/** Thrown for a row, caught per row. */
class RowFault extends Error {
  readonly column: string
  constructor(column: string, message: string) {
    super(message)
    this.column = column
  }
}

const maxCellCharacters = limits.notesCharacters
const unstorable = /[\0\ufffd]/

/** A contact, or what is wrong with the row. */
export function readRow(record: CsvRecord, columns: Columns, normalize: NormalizePhone): ImportedContact | RowError {
  try {
    return readContact(record, columns, normalize)
  } catch (error) {
    if (error instanceof RowFault) return { row: record.row, column: error.column, message: error.message }
    throw error
  }
}

export const isRowError = (read: ImportedContact | RowError): read is RowError => 'message' in read

function readContact({ cells, problem }: CsvRecord, columns: Columns, normalize: NormalizePhone): ImportedContact {
  const { names } = columns
  if (problem) throw new RowFault('', problem)
  if (cells.length > names.length && cells.slice(names.length).some((cell) => cell.trim() !== ''))
    throw new RowFault(
      '',
      `The row has ${cells.length} cells and the header ${names.length}: put quotes around cells that hold the delimiter`,
    )
  for (let at = 0; at < cells.length; at++) refuseUnreadable(cells[at] as string, names[at] ?? '')

  const cell = (index: number | undefined): string => (index === undefined ? '' : unguardCell(cells[index] ?? ''))
  const nameOf = (index: number | undefined) => names[index as number] as string
  const name = columns.name
    .map((index) => cell(index).trim())
    .filter(Boolean)
    .join(' ')
  const firstName = cell(columns.first_name).trim()
  for (const [text, index] of [
    [name, columns.name[0]],
    [firstName, columns.first_name],
  ] as const)
    if (isLonger(text, limits.nameCharacters))
      throw new RowFault(nameOf(index), `A name has at most ${limits.nameCharacters} characters`)
  const notes = cell(columns.notes)
  return {
    phone_number: readPhone(columns, cell, normalize),
    name: name || undefined,
    first_name: firstName || undefined,
    notes: notes.trim() ? notes : undefined,
    tags: readTags(cell(columns.tags), nameOf(columns.tags)),
    stage: readStage(cell(columns.stage).trim(), nameOf(columns.stage)),
    ai_handling: readBoolean(cell(columns.ai_handling).trim(), nameOf(columns.ai_handling)),
    opted_out_at: readInstant(cell(columns.opted_out_at).trim(), nameOf(columns.opted_out_at)),
    time_zone: readTimeZone(cell(columns.time_zone).trim(), nameOf(columns.time_zone)),
    custom_fields: readCustomFields(columns, cell),
  }
}

/** Characters as JSON Schema counts them: an emoji is one. */
const isLonger = (text: string, limit: number) => text.length > limit && [...text].length > limit

function refuseUnreadable(cell: string, column: string): void {
  if (isLonger(cell, maxCellCharacters))
    throw new RowFault(column, `A cell has at most ${maxCellCharacters.toLocaleString('en')} characters`)
  if (unstorable.test(cell))
    throw new RowFault(column, 'Has characters that cannot be read: save the file as UTF-8 and look at this cell again')
}

function readPhone(
  { phones: indexes, names }: Columns,
  cell: (index: number) => string,
  normalize: NormalizePhone,
): string {
  const index = indexes.find((each) => cell(each).trim() !== '')
  if (index === undefined) throw new RowFault(names[indexes[0] as number] as string, 'The phone number is missing')
  const text = cell(index).trim()
  const number = normalize(text)
  if (number !== undefined) return number
  const column = names[index] as string
  if (/^\d[.,]\d+e\+?\d+$/i.test(text))
    throw new RowFault(column, `A spreadsheet has shortened this number to ${text}: format the column as text`)
  throw new RowFault(
    column,
    `“${text.slice(0, 60)}” is not a possible phone number: write it with + and its country code`,
  )
}

function readTags(cell: string, column: string): string[] | undefined {
  if (cell === '') return undefined
  const tags = tagsFromCell(cell)
  if (tags.length > limits.tags) throw new RowFault(column, `A contact has at most ${limits.tags} tags`)
  if (tags.some((tag) => isLonger(tag, limits.tagCharacters)))
    throw new RowFault(column, `A tag has at most ${limits.tagCharacters} characters`)
  return tags.length > 0 ? tags : undefined
}

function readStage(cell: string, column: string): Contact['stage'] | undefined {
  if (cell === '') return undefined
  const word = cell.toLowerCase()
  const stage = stages.find((each) => each === word || (each === 'customer' && word === 'customers'))
  if (!stage) throw new RowFault(column, `“${cell.slice(0, 60)}” is not a stage: use ${stages.join(', ')}`)
  return stage
}

const truths: Record<string, boolean> = { true: true, yes: true, y: true, '1': true, on: true, ai: true }
const falsehoods: Record<string, boolean> = { false: false, no: false, n: false, '0': false, off: false, human: false }
const booleans = new Map(Object.entries({ ...truths, ...falsehoods }))

function readBoolean(cell: string, column: string): boolean | undefined {
  if (cell === '') return undefined
  const value = booleans.get(cell.toLowerCase())
  if (value === undefined) throw new RowFault(column, `“${cell.slice(0, 60)}” is neither true nor false`)
  return value
}

function readInstant(cell: string, column: string): string | undefined {
  if (cell === '') return undefined
  const instant = parseInstant(cell)
  if (instant === undefined)
    throw new RowFault(column, `“${cell.slice(0, 60)}” is not an ISO 8601 date-time, such as 2026-03-01T09:00:00Z`)
  return instant
}

function readTimeZone(cell: string, column: string): string | undefined {
  if (cell === '' || isTimeZone(cell)) return cell || undefined
  throw new RowFault(column, `“${cell.slice(0, 60)}” is not a time zone: use an IANA name such as Europe/Berlin`)
}

function readCustomFields(columns: Columns, cell: (index: number | undefined) => string) {
  let fields: Record<string, unknown> | undefined
  for (const { index, key, isJson } of columns.custom) {
    const text = cell(index)
    if (text.trim() === '') continue
    fields ??= Object.create(null) as Record<string, unknown>
    fields[key] = isJson ? readJson(text, columns.names[index] as string) : text
  }
  const others = cell(columns.otherCustomFields)
  if (others.trim() === '') return fields
  const column = columns.names[columns.otherCustomFields as number] as string
  const object = readJson(others, column)
  if (object === null || typeof object !== 'object' || Array.isArray(object))
    throw new RowFault(column, 'Is not a JSON object')
  return Object.assign(fields ?? Object.create(null), object)
}

function readJson(text: string, column: string): unknown {
  try {
    const value = JSON.parse(text)
    refuseUnstorable(value, column)
    if (!depthAtMost(maxDepth, value)) throw invalid([column], 'Is nested too deeply')
    return value
  } catch (error) {
    throw new RowFault(column, error instanceof InvalidInput ? (error.faults[0]?.msg ?? '') : 'Is not valid JSON')
  }
}
