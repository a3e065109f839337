import type { Knobs } from './knobs.ts'
import type { Component } from './template-component.ts'
import { hasTouchingVariables } from './template-variables.ts'

/** The review verdict, a moment later. */
export interface Verdict {
  status: 'APPROVED' | 'REJECTED'
  reason: string
  info?: { reason: string; recommendation: string }
}

const approved: Verdict = { status: 'APPROVED', reason: 'NONE' }
const reasons = [
  'ABUSIVE_CONTENT',
  'INVALID_FORMAT',
  'INCORRECT_CATEGORY',
  'PROMOTIONAL',
  'SCAM',
  'TAG_CONTENT_MISMATCH',
]

/**
 * The rules of simulated review, besides what is refused at once:
 * - `reject` in the name: rejected, for the reason that the name also holds (`reject_promotional`), else ABUSIVE_CONTENT;
 * - two variables that touch, or a button that leads to wa.me: rejected for INVALID_FORMAT, with advice;
 * - everything else is approved.
 */
export function reviewOf(name: string, components: Component[], { review }: Knobs): Verdict | undefined {
  if (review === 'never') return undefined
  if (review === 'approve') return approved
  if (review === 'reject' || name.includes('reject'))
    return {
      status: 'REJECTED',
      reason: reasons.find((word) => name.includes(word.toLowerCase())) ?? 'ABUSIVE_CONTENT',
    }
  const parts = [...components, ...components.flatMap(({ cards = [] }) => cards.flatMap((card) => card.components))]
  if (parts.some(({ text }) => typeof text === 'string' && hasTouchingVariables(text)))
    return badFormat(
      'The message template has variables next to each other with nothing between them.',
      'Put words between the variables, so that a person can tell what each of them is.',
    )
  const links = parts.flatMap(({ buttons }) => buttons ?? []).map(({ url }) => String(url ?? ''))
  if (links.some((url) => /^https?:\/\/(www\.)?wa\.me\b/.test(url)))
    return badFormat('A button leads to a short link of the messenger itself.', 'Lead to a page of your own.')
  return approved
}

const badFormat = (reason: string, recommendation: string): Verdict => ({
  status: 'REJECTED',
  reason: 'INVALID_FORMAT',
  info: { reason, recommendation },
})

/** The platform may recategorize a template: a UTILITY one with `recategorize` in its name becomes MARKETING. */
export const categoryOf = (name: string, category: string): string =>
  category === 'UTILITY' && name.includes('recategorize') ? 'MARKETING' : category
