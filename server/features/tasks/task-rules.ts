import { invalid, notFound, violates } from '../../platform/errors.ts'

export function requireTitle(title: string): string {
  const trimmed = title.trim()
  if (trimmed === '') throw invalid(['body', 'title'], 'title must not be empty', 'string_too_short')
  return trimmed
}

/** The foreign keys decide, also when a contact or a member is deleted concurrently. */
export function whatIsMissing(error: unknown): never {
  if (violates(error, 'tasks_contact_exists')) throw notFound('Contact')
  if (violates(error, 'tasks_assignee_is_a_member')) throw notFound('Assignee')
  throw error
}
