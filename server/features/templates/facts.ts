import Type, { type Static } from 'typebox'
import type { PlatformTemplate, TemplateVerdict } from '../../providers/chat/template-contract.ts'
import { categoryIn, rankOf, scoreIn, stateIn, verdictBehind, verdictIn } from './registering/platform-words.ts'
import { sameContent } from './registering/same-content.ts'
import { Template } from './schema.ts'

/** A template with the platform's timestamps of each fact. */
export const KnownTemplate = Type.Object({
  ...Template.properties,
  status_at: Type.String(),
  platform_status_at: Type.String(),
  quality_at: Type.String(),
  category_at: Type.String(),
})
export type KnownTemplate = Static<typeof KnownTemplate>

/** The same for a template that is about to be stored. */
export type NewKnownTemplate = Omit<
  KnownTemplate,
  | 'organization_id'
  | 'sample_files'
  | 'upcoming_category'
  | 'registration'
  | 'registration_error'
  | 'livemode'
  | 'created_at'
  | 'updated_at'
>

/**
 * The platform's status updates arrive late, twice and in any order: each is compared by its own time, verdict and
 * state apart, because a pause that arrives before the approval must not hide it.
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

/** Of two ratings in the same second the worse one wins. */
const qualities = ['', 'GREEN', 'YELLOW', 'RED']

export function applyQuality(template: KnownTemplate, score: string, at: string): KnownTemplate {
  const quality_score = scoreIn(score)
  if (!isLater(at, qualities.indexOf(quality_score), template.quality_at, qualities.indexOf(template.quality_score)))
    return template
  return { ...template, quality_score, quality_at: at }
}

export function applyCategory(template: KnownTemplate, category: string, at: string): KnownTemplate {
  if (at < template.category_at) return template
  const known = { ...template, category: categoryIn(category), upcoming_category: null, category_at: at }
  // The platform forgets it with the category that it was made for.
  return known.category === template.category ? known : { ...known, message_send_ttl_seconds: null }
}

/** An announced future change. It is obsolete once a change of the same time or later has arrived. */
export function applyNotice(template: KnownTemplate, category: string, at: string): KnownTemplate {
  if (at <= template.category_at) return template
  const coming = categoryIn(category)
  return { ...template, upcoming_category: coming === template.category ? null : coming }
}

/** The answer to our own create request. */
export function applyVerdict(template: KnownTemplate, verdict: TemplateVerdict, at: string): KnownTemplate {
  const reviewed = applyStatus(template, { word: verdict.status, at, reason: null })
  return { ...applyCategory(reviewed, verdict.category, at), remote_template_id: verdict.id }
}

/**
 * The platform's listing. Equal facts keep their old time: a listing can lag, and an update in transit must not count
 * as old.
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
  // The verdict before this update was missed.
  if (known.status === 'PENDING' && known.platform_status === state) known.status = verdictBehind(listed.status)
  if (known.status === 'REJECTED' && listed.status === 'REJECTED') known.rejected_reason ??= listed.rejectedReason
  if (listed.qualityScore !== '' && listed.qualityScore !== template.quality_score)
    known = applyQuality(known, listed.qualityScore, at)
  if (listed.category !== '' && categoryIn(listed.category) !== template.category)
    known = applyCategory(known, listed.category, at)
  if (listed.ttlSeconds !== undefined) known.message_send_ttl_seconds = listed.ttlSeconds
  return known
}

/** The name was given to another template: facts about the former do not apply to it. */
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

/** Another update of the same second contradicts the listing: only a listing of a later second can decide. */
export const isUnsettled = (after: KnownTemplate, listed: PlatformTemplate, at: string): boolean =>
  listed.status !== '' && after.platform_status !== stateIn(listed.status) && after.platform_status_at === at

const isLater = (at: string, rank: number, knownAt: string, knownRank: number): boolean =>
  at > knownAt || (at === knownAt && rank >= knownRank)

/** The platform's clock has whole seconds: an update may refer to any time within one. */
export const wholeSecond = (instant: Date | string): string => {
  const time = new Date(instant).getTime()
  return new Date(time - (time % 1000)).toISOString()
}
