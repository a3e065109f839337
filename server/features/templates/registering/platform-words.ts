import { type Category, categories, type Status } from '../schema.ts'

/** What the platform's template statuses mean here. */

const verdicts: Record<string, Status> = {
  PENDING: 'PENDING',
  APPROVED: 'APPROVED',
  REINSTATED: 'APPROVED',
  REJECTED: 'REJECTED',
}

/** The review verdict of a status; most statuses have none. */
export const verdictIn = (word: string): Status | undefined => verdicts[word]

/** Statuses of templates that were approved once. */
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

/** The last verdict implied by a status, where it was not received. */
export function verdictBehind(word: string): Status {
  if (word === 'IN_APPEAL') return 'REJECTED'
  return verdicts[word] ?? (afterApproval.has(word) ? 'APPROVED' : 'PENDING')
}

/** REINSTATED is an event; the state after it is APPROVED. */
export const stateIn = (word: string): string => (word === 'REINSTATED' ? 'APPROVED' : word)

/** Statuses after which only the platform knows the template's state. */
export const asksForSync = (word: string): boolean => word === 'UNARCHIVED' || word === 'DELETED'

/** Deleted, or being deleted. */
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
 * Progress of a state in a template's life. The platform's clock has whole seconds: of two statuses in the same one the
 * further one wins, whichever arrives first.
 */
export const rankOf = (state: string | null): number => (state === null ? -2 : lifetime.indexOf(state))

const formerCategories: Record<string, Category> = { OTP: 'AUTHENTICATION', TRANSACTIONAL: 'UTILITY' }

/** Old templates have old categories; an unknown one counts as MARKETING, so that opt-outs cover it. */
export function categoryIn(word: string): Category {
  if ((categories as readonly string[]).includes(word)) return word as Category
  return formerCategories[word] ?? 'MARKETING'
}

const scores = ['GREEN', 'YELLOW', 'RED'] as const

/** UNKNOWN and other values that are no colour mean unrated. */
export const scoreIn = (word: string) => scores.find((score) => score === word) ?? ''
