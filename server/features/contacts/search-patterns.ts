import { type Fragment, sql } from '../../platform/sql.ts'

/**
 * `like` patterns for part of a name, ignoring case and accents, or part of a number in any notation. The database
 * folds them with the function that folded the names, and escapes them afterwards, because a full-width % is folded to
 * %.
 */
export function searchPatterns(search: string): Fragment {
  const parts = [search.trim()]
  const digits = search.replace(/[\s().+/-]/g, '')
  if (/^\d{2,}$/.test(digits)) parts.push(digits)
  return sql`array(select substring_pattern(fold_text(part)) from unnest(${parts}::text[]) part)`
}
