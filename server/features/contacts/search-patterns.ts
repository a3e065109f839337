import { type Fragment, sql } from '../../platform/sql.ts'

/**
 * `like` patterns for part of a name, whatever its case and accents, or part of a number however it is punctuated. The
 * database folds them with the function that folded the names, and escapes them afterwards: a full-width % becomes a %.
 */
export function searchPatterns(search: string): Fragment {
  const parts = [search.trim()]
  const digits = search.replace(/[\s().+/-]/g, '')
  if (/^\d{2,}$/.test(digits)) parts.push(digits)
  return sql`array(select substring_pattern(fold_text(part)) from unnest(${parts}::text[]) part)`
}
