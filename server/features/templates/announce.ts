import { isDeepStrictEqual } from 'node:util'
import type { TenantTx } from '../../platform/database.ts'
import { type EventKind, emitMany } from '../../platform/events.ts'
import { templateApproved, templateRejected, templateUpdated } from './events.ts'
import { Template } from './schema.ts'

const members = Object.keys(Template.properties).filter((name) => name !== 'updated_at') as (keyof Template)[]

/** The previous values of what changed, as far as the API shows it. */
export function differences(before: Template, after: Template): Partial<Template> {
  const changed = members.filter((name) => !isDeepStrictEqual(before[name], after[name]))
  return Object.fromEntries(changed.map((name) => [name, before[name]]))
}

/** One event per changed template, named for the most important part of the change. */
export async function announceChanges(tx: TenantTx, changes: { before: Template; after: Template }[]): Promise<void> {
  const byKind = new Map<EventKind<typeof Template>, { object: Template; previous: Partial<Template> }[]>()
  for (const { before, after } of changes) {
    const previous = differences(before, after)
    if (Object.keys(previous).length === 0) continue
    const kind = kindOf(previous, after)
    byKind.set(kind, [...(byKind.get(kind) ?? []), { object: after, previous }])
  }
  for (const [kind, events] of byKind)
    await emitMany(
      tx,
      kind,
      events.map(({ object }) => object),
      events.map(({ previous }) => previous),
    )
}

function kindOf(previous: Partial<Template>, after: Template) {
  if (previous.status === undefined) return templateUpdated
  if (after.status === 'APPROVED') return templateApproved
  return after.status === 'REJECTED' ? templateRejected : templateUpdated
}
