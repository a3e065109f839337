import Type, { type Static } from 'typebox'
import type { PlatformTemplate, TemplateVerdict } from '../../providers/chat/contract.ts'
import { categoryIn, rankOf, scoreIn, stateIn, verdictBehind, verdictIn } from './platform-words.ts'
import { sameContent } from './same-content.ts'
import { Template } from './schema.ts'

/** A template with the times at which the platform said what is known of it. */
export const KnownTemplate = Type.Object({
  ...Template.properties,
  status_at: Type.String(),
  platform_status_at: Type.String(),
  quality_at: Type.String(),
  category_at: Type.String(),
})
export type KnownTemplate = Static<typeof KnownTemplate>

/** The same of one that is about to be stored. */
export type NewKnownTemplate = Omit<
  KnownTemplate,
  | 'organization_id'
  | 'upcoming_category'
  | 'registration'
  | 'registration_error'
  | 'livemode'
  | 'created_at'
  | 'updated_at'
>

/**
 * The platform's word on how a template stands. Its words come late, twice and in any order: each is weighed by its
 * own time, the verdict and the state apart, because a pause that arrives before the approval must not hide it.
 */
export function applyStatus(
  template: KnownTemplate,
  { word, at, reason }: { word: string; at: string; reason: string | null },
): KnownTemplate {
  const state = stateIn(word)
  const verdict = verdictIn(word)
  const known = { ...template }
  if (isLater(at, rankOf(state), template.platform_status_at, rankOf(template.platform_status))) {
    known.platform_status = state
    known.platform_status_at = at
  }
  if (verdict && isLater(at, rankOf(verdict), template.status_at, rankOf(template.status))) {
    known.status = verdict
    known.status_at = at
    known.rejected_reason = verdict === 'REJECTED' ? reason : null
  }
  return known
}

/** Of two ratings of the same second the worse one holds. */
const qualities = ['', 'GREEN', 'YELLOW', 'RED']

export function applyQuality(template: KnownTemplate, score: string, at: string): KnownTemplate {
  const quality_score = scoreIn(score)
  if (!isLater(at, qualities.indexOf(quality_score), template.quality_at, qualities.indexOf(template.quality_score)))
    return template
  return { ...template, quality_score, quality_at: at }
}

export function applyCategory(template: KnownTemplate, category: string, at: string): KnownTemplate {
  if (at < template.category_at) return template
  return { ...template, category: categoryIn(category), upcoming_category: null, category_at: at }
}

/** A change that is announced for later. It is no news once a change of the same time or a later one has come. */
export function applyNotice(template: KnownTemplate, category: string, at: string): KnownTemplate {
  if (at <= template.category_at) return template
  const coming = categoryIn(category)
  return { ...template, upcoming_category: coming === template.category ? null : coming }
}

/** The answer to our own request to create it. */
export function applyVerdict(template: KnownTemplate, verdict: TemplateVerdict, at: string): KnownTemplate {
  const reviewed = applyStatus(template, { word: verdict.status, at, reason: null })
  return { ...applyCategory(reviewed, verdict.category, at), remote_template_id: verdict.id }
}

/**
 * How the platform lists it. What is the same stays with its old time: a listing can lag behind, and a word that is on
 * its way to us must not be taken for an old one.
 */
export function applyListing(before: KnownTemplate, listed: PlatformTemplate, at: string): KnownTemplate {
  const isAnother = before.remote_template_id !== null && before.remote_template_id !== listed.id
  const template = isAnother ? unknown(before) : before
  const state = stateIn(listed.status)
  const verdict = verdictIn(listed.status) ?? template.status
  let known: KnownTemplate = { ...template, remote_template_id: listed.id }
  // Members that a server leaves out say nothing.
  if (listed.components.length > 0 && !sameContent(template.components, listed.components))
    known.components = listed.components
  if (state !== '' && (state !== template.platform_status || verdict !== template.status))
    known = applyStatus(known, { word: listed.status, at, reason: listed.rejectedReason })
  // We have missed the verdict before this word.
  if (known.status === 'PENDING' && known.platform_status === state) known.status = verdictBehind(listed.status)
  if (known.status === 'REJECTED' && listed.status === 'REJECTED') known.rejected_reason ??= listed.rejectedReason
  if (listed.qualityScore !== '' && listed.qualityScore !== template.quality_score)
    known = applyQuality(known, listed.qualityScore, at)
  if (listed.category !== '' && categoryIn(listed.category) !== template.category)
    known = applyCategory(known, listed.category, at)
  return known
}

/** The name was given to another template: what was said of the former does not hold for it. */
const unknown = (template: KnownTemplate): KnownTemplate => ({
  ...template,
  status: 'PENDING',
  platform_status: null,
  rejected_reason: null,
  quality_score: '',
  upcoming_category: null,
  status_at: epoch,
  platform_status_at: epoch,
  quality_at: epoch,
  category_at: epoch,
})
const epoch = new Date(0).toISOString()

/**
 * Another word of the same second stands against what was listed: which of them came first, only a listing of a later
 * second can tell.
 */
export const isUnsettled = (after: KnownTemplate, listed: PlatformTemplate, at: string): boolean =>
  listed.status !== '' && after.platform_status !== stateIn(listed.status) && after.platform_status_at === at

const isLater = (at: string, rank: number, knownAt: string, knownRank: number): boolean =>
  at > knownAt || (at === knownAt && rank >= knownRank)

/** The platform's clock has whole seconds, and what it says of one may have happened at any time within it. */
export const wholeSecond = (instant: Date | string): string => {
  const time = new Date(instant).getTime()
  return new Date(time - (time % 1000)).toISOString()
}
