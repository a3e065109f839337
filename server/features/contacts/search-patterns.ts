import { type Fragment, sql } from '../../platform/sql.ts'

/**
 * Part of a name in any case, or part of a number however it is punctuated. The database lowers it, as it does the names:
 * JavaScript makes something else of İ and of a last Σ.
 */
export function searchPatterns(search: string): Fragment {
  const patterns = [search.trim()]
  const digits = search.replace(/[\s().+/-]/g, '')
  if (/^\d{2,}$/.test(digits)) patterns.push(digits)
  const escaped = patterns.map((pattern) => `%${pattern.replace(/[\\%_]/g, '\\$&')}%`)
  return sql`array(select lower(pattern) from unnest(${escaped}::text[]) pattern)`
}
