import { toCsvLine } from '../../../platform/csv.ts'
import type { TenantSql } from '../../../platform/database.ts'
import { lowestId } from '../../../platform/ids.ts'
import { knownNames, plainName } from '../imports/header-names.ts'
import type { ContactConditions } from '../lists/conditions.ts'
import { resolveHandling } from '../lists/resolve-handling.ts'
import type { ExportFilter } from '../lists/schema.ts'
import type { Contact } from '../schema.ts'
import { findCustomKeys, listExported } from './export-queries.ts'
import {
  customPrefix,
  exportedColumns,
  jsonSuffix,
  otherCustomFields,
  sourceColumns,
  tagsToCell,
} from './spreadsheet-cells.ts'

const pageSize = 1000
const keyPageSize = 10_000
/** More columns do not help in a spreadsheet: further fields share the last column. */
const maxCustomColumns = 500
const maxHeaderCharacters = 200

interface CustomColumn {
  key: string
  /** Whether its cells are plain text; otherwise they are JSON. */
  isText: boolean
}

/**
 * The contacts as CSV, oldest first, one page at a time, read on demand. A first pass collects the names of custom
 * fields for the header; one that appears meanwhile goes to the last column.
 */
export async function exportContacts(sql: TenantSql, filter: ExportFilter): Promise<AsyncGenerator<string>> {
  const wanted = await resolveHandling(sql, filter)
  return writeCsv(sql, wanted, await findCustomColumns(sql, wanted))
}

async function findCustomColumns(sql: TenantSql, filter: ContactConditions): Promise<CustomColumn[]> {
  const isText = new Map<string, boolean>()
  for (let after: string | null = lowestId; after !== null; ) {
    const { keys, last_id } = await findCustomKeys(sql, filter, {
      after,
      contacts: keyPageSize,
      keys: maxCustomColumns * 2,
    })
    for (const [key, isTextHere] of Object.entries(keys))
      if (isText.has(key) || (isText.size < maxCustomColumns && canBeHeader(key)))
        isText.set(key, isTextHere && (isText.get(key) ?? true))
    after = last_id
  }
  return [...isText]
    .map(([key, isText]) => ({ key, isText: isText && !key.endsWith(jsonSuffix) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
}

const canBeHeader = (key: string) =>
  key !== '' && key === key.trim() && key.length <= maxHeaderCharacters && !key.includes('\ufffd')

/** The field's own name, unless an import would read that as something else. */
function headerOf({ key, isText }: CustomColumn): string {
  const hasMeaning =
    knownNames.has(plainName(key)) ||
    (exportedColumns as readonly string[]).includes(key) ||
    key === otherCustomFields ||
    key.startsWith(customPrefix)
  if (isText && !hasMeaning) return key
  return customPrefix + key + (isText ? '' : jsonSuffix)
}

async function* writeCsv(sql: TenantSql, filter: ContactConditions, custom: CustomColumn[]): AsyncGenerator<string> {
  yield toCsvLine([...exportedColumns, ...custom.map(headerOf), otherCustomFields])
  for (let after: string | undefined = lowestId; after !== undefined; ) {
    const contacts = await listExported(sql, filter, after, pageSize)
    if (contacts.length > 0) yield contacts.map((contact) => toCsvLine(toCells(contact, custom))).join('')
    after = contacts.length === pageSize ? contacts.at(-1)?.id : undefined
  }
}

function toCells(contact: Contact, custom: CustomColumn[]): string[] {
  const rest = new Map(Object.entries(contact.custom_fields))
  const customCells = custom.map(({ key, isText }) => {
    const value = rest.get(key)
    const fits = isText ? typeof value === 'string' && value.trim() !== '' : value !== undefined
    if (!fits) return ''
    rest.delete(key)
    return isText ? (value as string) : JSON.stringify(value)
  })
  return [
    contact.id,
    contact.phone_number,
    contact.name,
    tagsToCell(contact.tags),
    contact.notes,
    contact.stage,
    String(contact.ai_handling),
    contact.opted_out_at ?? '',
    contact.last_activity_at ?? '',
    contact.created_at,
    contact.first_name ?? '',
    contact.time_zone ?? '',
    ...sourceColumns.map((column) => contact[column] ?? ''),
    ...customCells,
    rest.size > 0 ? JSON.stringify(Object.fromEntries(rest)) : '',
  ]
}
