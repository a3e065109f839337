import type { TenantTx } from '../../../platform/database.ts'
import { emitMany } from '../../../platform/events.ts'
import { newId } from '../../../platform/ids.ts'
import type { PlatformTemplate } from '../../../providers/chat/template-contract.ts'
import type { ChatConnection } from '../../channels/connections/chat-connections.ts'
import { announceChanges, differences } from '../announce.ts'
import { templateCreated, templateDeleted } from '../events.ts'
import { applyListing, isUnsettled, type KnownTemplate, type NewKnownTemplate, wholeSecond } from '../facts.ts'
import { enqueueRegistration } from '../job-kinds.ts'
import { insertKnownTemplates, updateKnownTemplates } from '../queries.ts'
import { categoryIn, isLeaving, scoreIn, stateIn, verdictBehind } from '../registering/platform-words.ts'
import { wakeWaiting } from '../registering/registration-queries.ts'
import { endListing, listDeletedSince, lockTemplatesOf, removeGone } from './account-queries.ts'
import { askForSync } from './ask-for-sync.ts'

interface Listing {
  beganAt: string
  listed: PlatformTemplate[]
  /** Our ids that the platform no longer knows. */
  gone: string[]
}

/** Updates the templates of one business account to match the platform's listing. */
export async function reconcile(tx: TenantTx, connection: ChatConnection, { beganAt, listed, gone }: Listing) {
  const account = connection.businessAccountId
  const [ours, deleted] = await Promise.all([lockTemplatesOf(tx, account), listDeletedSince(tx, account, beganAt)])
  const at = wholeSecond(beganAt)
  const byId = new Map(ours.map((template) => [template.remote_template_id, template]))
  const byName = new Map(ours.map((template) => [nameOf(template), template]))
  const away = new Set(deleted.map(({ remote_template_id }) => remote_template_id))

  const fresh: NewKnownTemplate[] = []
  const wanted = new Map<KnownTemplate, KnownTemplate>()
  let unsettled = false
  for (const template of leavingFirst(listed)) {
    const leaves = isLeaving(template.status)
    // A name can be reused while its former holder is being deleted.
    const before = byId.get(template.id) ?? (leaves ? undefined : byName.get(nameOf(template)))
    // Templates being deleted there need no record here, and one deleted here a moment ago must not come back. A
    // pending registration finds its own template.
    if (before?.registration === 'registered') {
      const after = applyListing(before, template, at)
      unsettled ||= isUnsettled(after, template, at)
      wanted.set(before, after)
    } else if (!before && !leaves && !away.has(template.id)) fresh.push(newTemplate(connection, template, at))
  }
  const changed = [...wanted].filter(([before, after]) => Object.keys(differences(before, after)).length > 0)

  const removed = gone.length > 0 ? await removeGone(tx, gone, beganAt) : []
  const added = fresh.length > 0 ? await insertKnownTemplates(tx, fresh) : []
  const updated =
    changed.length > 0
      ? await updateKnownTemplates(
          tx,
          changed.map(([, after]) => after),
        )
      : []
  const previous = new Map([...wanted.keys()].map((before) => [before.id, before]))
  await emitMany(tx, templateDeleted, removed)
  await emitMany(tx, templateCreated, added)
  await announceChanges(
    tx,
    updated.map((after) => ({ before: previous.get(after.id) as KnownTemplate, after })),
  )
  const { was_held } = await endListing(tx, account, beganAt)
  if (was_held) for (const { id } of await wakeWaiting(tx, account)) await enqueueRegistration(tx, tx.scope, id)
  if (unsettled) await askForSync(tx, [account], 1)
  return {
    added: added.length,
    updated: updated.length,
    removed: removed.length,
    unchanged: wanted.size - changed.length,
  }
}

const nameOf = ({ name, language }: { name: string; language: string }) => `${name} ${language.toLowerCase()}`

const leavingFirst = (listed: PlatformTemplate[]) => [
  ...listed.filter(({ status }) => isLeaving(status)),
  ...listed.filter(({ status }) => !isLeaving(status)),
]

/** A template that the platform has and we do not. */
export function newTemplate(connection: ChatConnection, listed: PlatformTemplate, at: string): NewKnownTemplate {
  const state = stateIn(listed.status)
  return {
    id: newId(),
    account_id: connection.accountId,
    channel_id: connection.channelId,
    business_account_id: connection.businessAccountId,
    remote_template_id: listed.id,
    name: listed.name,
    language: listed.language,
    category: categoryIn(listed.category),
    status: verdictBehind(listed.status),
    platform_status: state === '' ? null : state,
    rejected_reason: listed.status === 'REJECTED' ? listed.rejectedReason : null,
    components: listed.components,
    message_send_ttl_seconds: listed.ttlSeconds ?? null,
    quality_score: scoreIn(listed.qualityScore),
    status_at: at,
    platform_status_at: at,
    quality_at: at,
    category_at: at,
  }
}
