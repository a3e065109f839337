import { unguardCell } from '../../../platform/csv.ts'
import { UnreadableFile } from '../../../platform/read-records.ts'
import {
  customPrefix,
  firstColumns,
  jsonSuffix,
  otherCustomFields,
  sourceColumns,
} from '../exports/spreadsheet-cells.ts'
import { type KnownColumn, knownNames, plainName } from './header-names.ts'
import type { ImportColumn, RenamedColumns } from './schema.ts'

/** Where each member of a contact is found in a row. */
export interface Columns {
  names: string[]
  /** Best first: a row takes the first of them that is not empty. */
  phones: number[]
  /** Joined by a space: one column with the whole name, or first and last name. */
  name: number[]
  /** Only beside a column with the whole name or the last name: alone it may hold the whole name. */
  first_name: number | undefined
  tags: number | undefined
  notes: number | undefined
  stage: number | undefined
  ai_handling: number | undefined
  opted_out_at: number | undefined
  time_zone: number | undefined
  custom: { index: number; key: string; isJson: boolean }[]
  /** The column with a JSON object of custom fields. */
  otherCustomFields: number | undefined
  /** The meaning of a column, for all but custom ones. */
  fields: Map<number | undefined, string>
}

const maxColumns = 1000
const maxNameCharacters = 255

/**
 * Maps each column by its name, or by the name it is given instead; an unknown column becomes a custom field, so that
 * nothing is lost.
 */
export function readHeader(cells: string[], renamed: RenamedColumns = {}): Columns {
  const names = cells.map((cell, index) => unguardCell(cell.trim()) || `column ${index + 1}`)
  if (names.length > maxColumns) throw new UnreadableFile(`The file has more than ${maxColumns} columns`)
  if (names.some((name) => name.length > maxNameCharacters || /[\0\ufffd]/.test(name)))
    throw new UnreadableFile('The first row should name the columns, but its cells are too long or not text')

  const given = new Map(Object.entries(renamed))
  const isLeftOut = (index: number) => given.get(names[index] as string) === null
  const readAs = names.map((name) => given.get(name)?.trim() ?? name)

  const found = new Map<KnownColumn, { index: number; rank: number }[]>()
  for (const [index, name] of readAs.entries()) {
    const known = isLeftOut(index) ? undefined : knownNames.get(plainName(name))
    if (known) found.set(known.column, [...(found.get(known.column) ?? []), { index, rank: known.rank }])
  }
  const ranked = (column: KnownColumn) =>
    (found.get(column) ?? []).toSorted((a, b) => a.rank - b.rank).map(({ index }) => index)
  const first = (column: KnownColumn) => ranked(column)[0]

  const phones = ranked('phone')
  const whole = first('name')
  const [firstName, lastName] = [first('first_name'), whole === undefined ? first('last_name') : undefined]
  const nameParts = whole === undefined ? [firstName, lastName] : [whole]
  const others = {
    tags: first('tags'),
    notes: first('notes'),
    stage: first('stage'),
    ai_handling: first('ai_handling'),
    opted_out_at: first('opted_out_at'),
    time_zone: first('time_zone'),
  }
  const otherFields = indexOf(readAs, otherCustomFields)
  const fields = Object.entries({
    phone_number: phones[0],
    name: whole,
    first_name: firstName,
    last_name: lastName,
    ...others,
    [otherCustomFields]: otherFields,
  })
  const taken = new Set([...fields.map(([, index]) => index), ...informative(names)])
  const rest = [...names.keys()].filter((index) => !taken.has(index) && !isLeftOut(index))
  return {
    names,
    phones,
    name: nameParts.filter((index) => index !== undefined),
    first_name: whole === undefined && lastName === undefined ? undefined : firstName,
    ...others,
    otherCustomFields: otherFields,
    custom: customColumns(readAs, rest),
    fields: new Map(fields.map(([field, index]) => [index, field])),
  }
}

/** Without a phone column there is nothing to import. */
export function requirePhones({ phones, names }: Columns): void {
  if (phones.length === 0) throw new UnreadableFile(noPhoneColumn(names))
}

/** What each column is read as, in the words in which columns can be renamed. */
export function describeColumns({ names, fields, custom }: Columns): ImportColumn[] {
  const customKeys = new Map(custom.map(({ index, key }) => [index, customPrefix + key]))
  return names.map((column, index) => ({ column, field: fields.get(index) ?? customKeys.get(index) ?? null }))
}

/** Our own export has columns that no import can set: they are skipped, not stored as custom fields. */
function informative(names: string[]): number[] {
  const hasAll = (columns: readonly string[]) => columns.every((column) => names.includes(column))
  if (!hasAll(firstColumns)) return []
  // Exports of earlier versions have no source: a column of that name is a custom field.
  const unset = ['id', 'last_activity_at', 'created_at', ...(hasAll(sourceColumns) ? sourceColumns : [])]
  return unset.map((column) => names.indexOf(column))
}

function customColumns(names: string[], indexes: number[]): Columns['custom'] {
  const keys = new Set<string>()
  return indexes.map((index) => {
    const name = names[index] as string
    const isPrefixed = name.startsWith(customPrefix) && name.length > customPrefix.length
    const isJson = isPrefixed && name.endsWith(jsonSuffix)
    const plain = isPrefixed ? name.slice(customPrefix.length, isJson ? -jsonSuffix.length : undefined) : name
    let key = plain
    for (let copy = 2; keys.has(key); copy++) key = `${plain} ${copy}`
    keys.add(key)
    return { index, key, isJson }
  })
}

const indexOf = (names: string[], name: string) => (names.includes(name) ? names.indexOf(name) : undefined)

function noPhoneColumn(names: string[]): string {
  if (names.some((name) => /^\+?[\d ().-]{6,}$/.test(name)))
    return 'The file has no header: its first row should name the columns, such as phone_number, name, tags'
  const shown = names.slice(0, 20).map((name) => `“${name.slice(0, 60)}”`)
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : ''
  return `No column holds phone numbers: name one of them phone_number. The columns are ${shown.join(', ')}${more}`
}
