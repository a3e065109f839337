import { parseJson } from '../../platform/parse-json.ts'
import type { ChatError } from './contract.ts'

/**
 * The platform's error as API responses carry it. The platform's codes are numeric; our own codes for missing responses
 * are not.
 */
export const upstreamOf = ({ code, message }: ChatError) => ({
  code: /^\d{1,15}$/.test(code) ? Number(code) : code,
  message,
})

/**
 * The most actionable text first: the platform's text for users, then its details, then its message. `error_data` is an
 * object, a plain sentence, or JSON in a string that names parts of the request (`{"blame_field_specs":…}`); the latter
 * is not shown.
 */
export function explanationOf(error: Record<string, unknown>): string | undefined {
  const data = error.error_data
  const details =
    typeof data === 'string' ? (isSerialized(data) ? undefined : data) : (data as { details?: unknown } | null)?.details
  return [error.error_user_msg, details, error.message, error.error_user_title, error.title].find(
    (each): each is string => typeof each === 'string' && each.trim() !== '' && !isSerialized(each),
  )
}

const isSerialized = (text: string): boolean => /^\s*[[{"]/.test(text) && parseJson(text) !== undefined
