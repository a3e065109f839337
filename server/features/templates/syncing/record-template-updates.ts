import type { TenantTx } from '../../../platform/database.ts'
import { storable } from '../../../platform/storable.ts'
import { announceChanges, differences } from '../announce.ts'
import { applyCategory, applyNotice, applyQuality, applyStatus, type KnownTemplate, wholeSecond } from '../facts.ts'
import { lockMentioned, updateKnownTemplates, updateKnownTimes } from '../queries.ts'
import { asksForSync, isLeaving, rankOf, stateIn } from '../registering/platform-words.ts'
import { askForSync } from './ask-for-sync.ts'

/** An update about one template of a business account. */
export interface TemplateUpdate {
  businessAccountId: string
  /** The platform's time of the event (`entry.time`). */
  at: Date | string
  /** The platform's id, as text. */
  templateId: string
  name: string
  language: string
  change: TemplateChange
}

export type TemplateChange =
  /** `info`: the longer explanation of a rejection or a pause, if any. */
  | { kind: 'status'; event: string; reason: string | null; info?: string | null }
  /** GREEN, YELLOW, RED or UNKNOWN. */
  | { kind: 'quality'; score: string }
  /** With `notice` it is the future category, not the current one. */
  | { kind: 'category'; category: string; notice?: boolean }
  | { kind: 'components' }

/**
 * Applies webhook updates of the organization's business accounts, in any order and any number of times. The accounts
 * are trusted: the caller has checked that the hook may speak for them.
 */
export async function recordTemplateUpdates(tx: TenantTx, given: TemplateUpdate[]): Promise<void> {
  if (given.length === 0) return
  const updates = given.map(readUpdate).sort((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)))
  const before = await lockMentioned(tx, updates)
  const known = new Map(before.map((template) => [template.id, template]))
  const unclear = new Set<string>()
  for (const update of updates) {
    const template = mentionedBy(update, known.values())
    if (needsSync(update, template)) unclear.add(update.businessAccountId)
    if (template) known.set(template.id, { ...apply(template, update), remote_template_id: update.templateId })
  }

  const pairs = before.map((template) => ({ before: template, after: known.get(template.id) as KnownTemplate }))
  const changed = pairs.filter(isChanged)
  const retimed = pairs.filter((pair) => !isChanged(pair) && isRetimed(pair)).map(({ after }) => after)
  if (retimed.length > 0) await updateKnownTimes(tx, retimed)
  if (changed.length > 0) {
    const rows = await updateKnownTemplates(
      tx,
      changed.map(({ after }) => after),
    )
    const previous = new Map(changed.map(({ before }) => [before.id, before]))
    await announceChanges(
      tx,
      rows.map((after) => ({ before: previous.get(after.id) as KnownTemplate, after })),
    )
  }
  await askForSync(tx, [...unclear])
}

interface Pair {
  before: KnownTemplate
  after: KnownTemplate
}
const isChanged = ({ before, after }: Pair) => Object.keys(differences(before, after)).length > 0
const times = ['status_at', 'platform_status_at', 'quality_at', 'category_at'] as const
/** The same status with a later time: invisible, but older updates must not be applied after it. */
const isRetimed = ({ before, after }: Pair) => times.some((time) => before[time] !== after[time])

type Update = Omit<TemplateUpdate, 'at'> & { at: string }

function readUpdate(given: TemplateUpdate): Update {
  const { at, change, ...which } = storable({ ...given, at: new Date(given.at).getTime() })
  // A future time would block all updates until then.
  const time = Number.isNaN(at) ? Date.now() : Math.min(at, Date.now())
  const status = change.kind === 'status' ? { ...change, event: change.event.toUpperCase() } : change
  return { ...which, change: status, at: wholeSecond(new Date(time)) }
}

/** By the platform's id; by name only while the id is unknown. */
function mentionedBy(update: Update, templates: Iterable<KnownTemplate>): KnownTemplate | undefined {
  let sameName: KnownTemplate | undefined
  for (const template of templates) {
    if (template.business_account_id !== update.businessAccountId) continue
    if (template.remote_template_id === update.templateId) return template
    if (template.remote_template_id === null && template.name === update.name && template.language === update.language)
      sameName = template
  }
  return sameName
}

function apply(template: KnownTemplate, { change, at }: Update): KnownTemplate {
  switch (change.kind) {
    case 'status':
      return applyStatus(template, { word: change.event, at, reason: reasonIn(change) })
    case 'quality':
      return applyQuality(template, change.score.toUpperCase(), at)
    case 'category':
      return (change.notice ? applyNotice : applyCategory)(template, change.category.toUpperCase(), at)
    case 'components':
      return template
  }
}

/** Where the update alone does not give the state: new content, an unknown template, a step back within one second. */
function needsSync({ change, at }: Update, template: KnownTemplate | undefined): boolean {
  if (change.kind !== 'status') return change.kind === 'components' || template === undefined
  if (!template) return !isLeaving(change.event)
  if (asksForSync(change.event)) return true
  const state = stateIn(change.event)
  return template.platform_status_at === at && rankOf(state) < rankOf(template.platform_status)
}

function reasonIn({ reason, info }: { reason: string | null; info?: string | null }): string | null {
  const word = reason && reason.toUpperCase() !== 'NONE' ? reason : undefined
  return [word, info || undefined].filter(Boolean).join(': ') || null
}
