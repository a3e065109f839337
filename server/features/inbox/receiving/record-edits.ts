import type { TenantTx } from '../../../platform/database.ts'
import { emitMany } from '../../../platform/events.ts'
import type { Contact } from '../../contacts/schema.ts'
import { findKnownSenders } from '../../contacts/senders/find-senders.ts'
import { messageUpdated } from '../events.ts'
import { findMessages } from '../messages/message-queries.ts'
import type { Message } from '../messages/schema.ts'
import { applyConsent } from './apply-consent.ts'
import {
  type Editable,
  type EditedRow,
  findCandidates,
  lockEditable,
  updateEdited,
  type Version,
} from './edit-queries.ts'
import type { InboundEdit } from './inbound-edit.ts'
import type { Receiving } from './inbound-message.ts'
import { keepEditsAsMessages } from './keep-edits-as-messages.ts'
import { findKnownMessages } from './receive-queries.ts'

/** How long after sending a message the platform lets a contact edit or delete it. */
const changeableSeconds = { edit: 15 * 60, revoke: 2 * 24 * 3600 }

/** What an edit applies to: a message, one that may still arrive (`unknown`), or one of several (`ambiguous`). */
type Target = { messageId: string; contactId: string } | 'unknown' | 'ambiguous'

/**
 * Applies edits and deletions by contacts. Duplicates and a different order lead to the same state. Of a blocked contact,
 * deletions and keywords such as STOP count; its new texts are dropped. Returns the edits whose message is unknown,
 * because it may arrive later.
 */
export async function recordEdits(tx: TenantTx, given: InboundEdit[], deps: Receiving): Promise<InboundEdit[]> {
  if (given.length === 0) return []
  const senders = await findKnownSenders(
    tx,
    given.map(({ sender }) => sender),
  )
  const isDropped = ({ kind }: InboundEdit, i: number) => kind === 'edit' && Boolean(senders[i]?.blocked_at)
  await applyConsent(
    tx,
    given.flatMap((edit, i) => {
      const { at, content } = edit
      const contactId = senders[i]?.id
      return contactId && content && isDropped(edit, i) ? [{ contactId, at, ...content }] : []
    }),
  )
  const edits = given.filter((edit, i) => !isDropped(edit, i))
  const contacts = senders.filter((_, i) => !isDropped(given[i] as InboundEdit, i))
  const targets = await findTargets(tx, edits, contacts)
  const byMessage = new Map<string, InboundEdit[]>()
  const contactOf = new Map<string, string>()
  for (const [i, edit] of edits.entries()) {
    const target = targets[i]
    if (typeof target !== 'object') continue
    byMessage.set(target.messageId, [...(byMessage.get(target.messageId) ?? []), edit])
    contactOf.set(target.messageId, target.contactId)
  }
  const messages = byMessage.size > 0 ? await lockEditable(tx, [...byMessage.keys()]) : []
  // Only the contact who wrote a message may change it, whatever id a webhook names.
  const own = messages.filter(
    ({ id, contact_id, direction }) => direction === 'inbound' && contact_id === contactOf.get(id),
  )
  await changeMessages(tx, own, byMessage, deps)
  const isAmbiguousEdit = (edit: InboundEdit, i: number) => edit.kind === 'edit' && targets[i] === 'ambiguous'
  await keepEditsAsMessages(tx, edits.filter(isAmbiguousEdit), deps)
  return edits.filter((_, i) => targets[i] === 'unknown')
}

async function findTargets(tx: TenantTx, edits: InboundEdit[], contacts: (Contact | undefined)[]): Promise<Target[]> {
  const named = edits.flatMap(({ channelId, chatMessageId }) => (chatMessageId ? [{ channelId, chatMessageId }] : []))
  const unnamed = edits.flatMap(({ chatMessageId, channelId, at, kind }, position) => {
    const contactId = contacts[position]?.id
    if (chatMessageId || !contactId) return []
    return [{ position, contactId, channelId, at, withinSeconds: changeableSeconds[kind] }]
  })
  const known = new Map(
    (named.length > 0 ? await findKnownMessages(tx, named) : []).map((row) => [
      `${row.channel_id} ${row.chat_message_id}`,
      row.id,
    ]),
  )
  const candidates = Map.groupBy(
    unnamed.length > 0 ? await findCandidates(tx, unnamed) : [],
    ({ position }) => position,
  )
  return edits.map(({ channelId, chatMessageId }, position) => {
    const found = candidates.get(position) ?? []
    const messageId = chatMessageId ? known.get(`${channelId} ${chatMessageId}`) : found[0]?.id
    if (messageId === undefined) return 'unknown'
    if (!chatMessageId && found.length > 1) return 'ambiguous'
    // The message exists but its sender is not a known contact, so it belongs to another one. An empty id matches no
    // contact.
    return { messageId, contactId: contacts[position]?.id ?? '' }
  })
}

async function changeMessages(
  tx: TenantTx,
  messages: Editable[],
  byMessage: Map<string, InboundEdit[]>,
  { mediaAddress }: { mediaAddress: string },
): Promise<void> {
  const changes = messages.flatMap((message) => {
    const edited = applyEdits(message, byMessage.get(message.id) ?? [])
    return edited ? [{ message, edited }] : []
  })
  if (changes.length === 0) return
  const idsOf = changes.map(({ message }) => message.id)
  const before = new Map((await findMessages(tx, idsOf, mediaAddress)).map((message) => [message.id, message]))
  await updateEdited(
    tx,
    changes.map(({ edited }) => edited),
  )
  const after = await findMessages(tx, idsOf, mediaAddress)
  await emitMany(
    tx,
    messageUpdated,
    after,
    after.map((message) => differences(before.get(message.id) as Message, message)),
  )
  await applyConsent(
    tx,
    after.flatMap((message) => {
      const { body } = before.get(message.id) as Message
      if (message.body === body || message.edited_at === null) return []
      return [{ contactId: message.contact_id, at: message.edited_at, body: message.body, media: message.media_url }]
    }),
  )
}

/** Returns undefined if all edits were applied before. */
function applyEdits(message: Editable, edits: InboundEdit[]): EditedRow | undefined {
  const original: Version = { id: null, at: message.created_at, body: message.body }
  const versions = message.versions ?? [original]
  const known = new Set(versions.map(({ id }) => id))
  const added = edits.flatMap(({ kind, eventId, at, content }): Version[] => {
    if (kind !== 'edit' || known.has(eventId)) return []
    known.add(eventId)
    return [{ id: eventId, at, body: content?.body ?? null }]
  })
  const [first, ...later] = versions as [Version, ...Version[]]
  // The platform's timestamps have whole seconds; the stable sort keeps the order of arrival within one second.
  const all = [first, ...[...later, ...added].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))]
  const revokedAt = message.revoked_at ?? edits.find(({ kind }) => kind === 'revoke')?.at ?? null
  if (added.length === 0 && revokedAt === message.revoked_at) return undefined
  const last = all.at(-1) as Version
  const delivered = all.filter((version): version is Version & { body: string } => version.body !== null)
  return {
    id: message.id,
    body: delivered.at(-1)?.body ?? message.body,
    editedAt: all.length > 1 ? last.at : null,
    revokedAt,
    edits:
      all.length > 1
        ? {
            versions: all,
            history: delivered.slice(0, -1).map(({ body, at }) => ({ body, written_at: at })),
            text_missing: last.body === null,
          }
        : null,
  }
}

const changing = ['body', 'edited_at', 'edit_history', 'edit_text_missing', 'revoked', 'revoked_at'] as const

const differences = (before: Message, after: Message): Partial<Message> =>
  Object.fromEntries(
    changing
      .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
      .map((name) => [name, before[name]]),
  )
