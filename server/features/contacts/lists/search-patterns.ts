import { type Fragment, sql } from '../../../platform/sql.ts'

/**
 * `like` patterns for part of a name or username, ignoring case and accents, or part of a number in any notation. The
 * database folds them with the function that folded the names, and escapes them afterwards, because a full-width % is
 * folded to %.
 */
export function searchPatterns(search: string): Fragment {
  const text = search.trim()
  const parts = [text]
  // Usernames are shown with an @ and stored without it.
  if (/^@./.test(text)) parts.push(text.slice(1))
  const digits = search.replace(/[\s().+/-]/g, '')
  if (/^\d{2,}$/.test(digits)) parts.push(digits)
  return sql`array(select substring_pattern(fold_text(part)) from unnest(${parts}::text[]) part)`
}
