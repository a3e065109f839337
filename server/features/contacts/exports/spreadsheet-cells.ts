import { uniqueTags } from '../tags.ts'

const tagSeparators = /[;|,]/

/** `vip; newsletter`, or a JSON array where a tag contains a separator. */
export function tagsToCell(tags: string[]): string {
  const isPlain = tags.every((tag) => !tagSeparators.test(tag)) && !tags[0]?.startsWith('[')
  return isPlain ? tags.join('; ') : JSON.stringify(tags)
}

export function tagsFromCell(cell: string): string[] {
  const listed = cell.trim().startsWith('[') ? parseList(cell) : undefined
  return uniqueTags(listed ?? cell.split(tagSeparators))
}

function parseList(cell: string): string[] | undefined {
  try {
    const list = JSON.parse(cell)
    return Array.isArray(list) && list.every((tag) => typeof tag === 'string') ? list : undefined
  } catch {
    return undefined
  }
}

/** Prefix of a custom field's column whose plain name would mean something else. */
export const customPrefix = 'custom_fields.'
/** Suffix of such a column whose cells are JSON, because some of its values are not plain text. */
export const jsonSuffix = ':json'

/** The columns that every export has had: a file with all of them is an export. */
export const firstColumns = [
  'id',
  'phone_number',
  'name',
  'tags',
  'notes',
  'stage',
  'ai_handling',
  'opted_out_at',
  'last_activity_at',
  'created_at',
] as const

export const sourceColumns = ['source_type', 'source_id', 'source_headline', 'source_url', 'source_at'] as const

/** The columns of an export, before those of the custom fields. */
export const exportedColumns = [...firstColumns, 'first_name', 'time_zone', ...sourceColumns] as const
/** The last column: custom fields that have no column of their own, as a JSON object. */
export const otherCustomFields = 'custom_fields'
