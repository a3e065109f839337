import { customPrefix, exportedColumns, jsonSuffix, otherCustomFields, unguardCell } from '../spreadsheet-cells.ts'
import { type KnownColumn, knownNames, plainName } from './header-names.ts'
import { UnreadableFile } from './read-records.ts'

/** Where each member of a contact is found in a row. */
export interface Columns {
  names: string[]
  /** Best first: a row takes the first of them that is not empty. */
  phones: number[]
  /** Joined by a space: one column with the whole name, or first and last name. */
  name: number[]
  tags: number | undefined
  notes: number | undefined
  stage: number | undefined
  ai_handling: number | undefined
  opted_out_at: number | undefined
  custom: { index: number; key: string; isJson: boolean }[]
  /** The column with a JSON object of custom fields. */
  otherCustomFields: number | undefined
}

const maxColumns = 1000
const maxNameCharacters = 255

/** Finds the meaning of each column by its name; a column without one becomes a custom field, and nothing is lost. */
export function readHeader(cells: string[]): Columns {
  const names = cells.map((cell, index) => unguardCell(cell.trim()) || `column ${index + 1}`)
  if (names.length > maxColumns) throw new UnreadableFile(`The file has more than ${maxColumns} columns`)
  if (names.some((name) => name.length > maxNameCharacters || /[\0\ufffd]/.test(name)))
    throw new UnreadableFile('The first row should name the columns, but its cells are too long or not text')

  const found = new Map<KnownColumn, { index: number; rank: number }[]>()
  for (const [index, name] of names.entries()) {
    const known = knownNames.get(plainName(name))
    if (known) found.set(known.column, [...(found.get(known.column) ?? []), { index, rank: known.rank }])
  }
  const ranked = (column: KnownColumn) =>
    (found.get(column) ?? []).toSorted((a, b) => a.rank - b.rank).map(({ index }) => index)
  const first = (column: KnownColumn) => ranked(column)[0]

  const phones = ranked('phone')
  if (phones.length === 0) throw new UnreadableFile(noPhoneColumn(names))
  const whole = first('name')
  const name = (whole !== undefined ? [whole] : [first('first_name'), first('last_name')]).filter(
    (at) => at !== undefined,
  )
  const columns = {
    names,
    phones,
    name,
    tags: first('tags'),
    notes: first('notes'),
    stage: first('stage'),
    ai_handling: first('ai_handling'),
    opted_out_at: first('opted_out_at'),
    otherCustomFields: indexOf(names, otherCustomFields),
  }
  const { tags, notes, stage, ai_handling, opted_out_at } = columns
  const meant = [phones[0], ...name, tags, notes, stage, ai_handling, opted_out_at, columns.otherCustomFields]
  const taken = new Set([...meant, ...informative(names)])
  const rest = [...names.keys()].filter((index) => !taken.has(index))
  return { ...columns, custom: customColumns(names, rest) }
}

/** A file of our own export tells things that no import can set: they are read past, not kept as custom fields. */
function informative(names: string[]): number[] {
  if (!exportedColumns.every((column) => names.includes(column))) return []
  return ['id', 'last_activity_at', 'created_at'].map((column) => names.indexOf(column))
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
