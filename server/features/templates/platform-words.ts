import { type Category, categories, type Status } from './schema.ts'

/** What the platform's own words for a template mean here. */

const verdicts: Record<string, Status> = {
  PENDING: 'PENDING',
  APPROVED: 'APPROVED',
  REINSTATED: 'APPROVED',
  REJECTED: 'REJECTED',
}

/** The review verdict that a word is; most words are none. */
export const verdictIn = (word: string): Status | undefined => verdicts[word]

/** Words of templates that were approved once. */
const afterApproval = new Set([
  'FLAGGED',
  'PAUSED',
  'DISABLED',
  'LOCKED',
  'ARCHIVED',
  'UNARCHIVED',
  'PENDING_DELETION',
  'DELETED',
])

/** What the last verdict must have been, where nobody has told us. */
export function verdictBehind(word: string): Status {
  if (word === 'IN_APPEAL') return 'REJECTED'
  return verdicts[word] ?? (afterApproval.has(word) ? 'APPROVED' : 'PENDING')
}

/** REINSTATED is something that happened; the state after it is APPROVED. */
export const stateIn = (word: string): string => (word === 'REINSTATED' ? 'APPROVED' : word)

/** Something happened after which only the platform can say how the template stands. */
export const asksForSync = (word: string): boolean => word === 'UNARCHIVED' || word === 'DELETED'

/** On its way out, or out already. */
export const isLeaving = (word: string): boolean => word === 'PENDING_DELETION' || word === 'DELETED'

const lifetime = [
  'PENDING',
  'IN_APPEAL',
  'APPROVED',
  'REJECTED',
  'FLAGGED',
  'PAUSED',
  'DISABLED',
  'ARCHIVED',
  'PENDING_DELETION',
  'DELETED',
]

/**
 * How far a state is in a template's life. The platform's clock has whole seconds: of two words with the same one the
 * further holds, whichever arrives first.
 */
export const rankOf = (state: string | null): number => (state === null ? -2 : lifetime.indexOf(state))

const formerCategories: Record<string, Category> = { OTP: 'AUTHENTICATION', TRANSACTIONAL: 'UTILITY' }

/** Old templates have categories of old; what nobody knows is taken for marketing, so that opting out covers it. */
export function categoryIn(word: string): Category {
  if ((categories as readonly string[]).includes(word)) return word as Category
  return formerCategories[word] ?? 'MARKETING'
}

const scores = ['GREEN', 'YELLOW', 'RED'] as const

/** UNKNOWN, and anything else that is no colour, is not rated. */
export const scoreIn = (word: string) => scores.find((score) => score === word) ?? ''
