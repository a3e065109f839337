import { invalid } from '../../platform/errors.ts'
import { type Fragment, sql } from '../../platform/sql.ts'

/** Saved replies and views are shared with all members, or private to one. Private ones of others do not exist. */
export const visibleTo = (memberId: string | null): Fragment => sql`(owner_id is null or owner_id = ${memberId})`

/** The owner of a record that is private or shared. */
export function ownerOf(isShared: boolean, memberId: string | null): string | null {
  if (isShared) return null
  if (memberId === null) throw invalid(['body', 'shared'], 'Only members have private ones: set shared to true')
  return memberId
}
