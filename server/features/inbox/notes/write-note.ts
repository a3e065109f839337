import type { TenantTx } from '../../../platform/database.ts'
import { AppError, found, InvalidInput, notFound } from '../../../platform/errors.ts'
import { emit } from '../../../platform/events.ts'
import { type Actor, anyScope } from '../../../platform/http/principal.ts'
import { newId } from '../../../platform/ids.ts'
import { recordAction } from '../../audit/record-action.ts'
import { changeActivity, removeActivities } from '../../contacts/timeline/change-activities.ts'
import { recordActivity } from '../../contacts/timeline/record-activity.ts'
import { membersWhoMay } from '../../organizations/members/members-who-may.ts'
import { noteCreated, noteDeleted, noteUpdated } from '../events.ts'
import { lockContacts } from '../tickets/ticket-queries.ts'
import {
  deleteNoteRow,
  findContactOfTicket,
  findSeeing,
  insertNote,
  lockNote,
  type StoredNote,
  updateNoteRow,
} from './queries.ts'
import type { NewNote, Note, NoteChanges } from './schema.ts'

/** Adds a note to a ticket and to the contact's timeline. */
export async function createNote(tx: TenantTx, ticketId: string, given: NewNote, actor: Actor): Promise<Note> {
  const { contact_id: contactId } = found(await findContactOfTicket(tx, ticketId), 'Inbox ticket')
  if ((await lockContacts(tx, [contactId])).length === 0) throw notFound('Inbox ticket')
  const { body } = given
  const mentionedIds = await checkMentions(tx, ticketId, given.mentioned_ids ?? [])
  const id = newId()
  const payload = { note: body, note_id: id, inbox_id: ticketId }
  const activity = await recordActivity(tx, { contactId, type: 'note_added', actor, payload })
  const note = await insertNote(tx, {
    id,
    ticketId,
    contactId,
    authorId: actor.id,
    body,
    mentionedIds,
    activityId: activity.id,
  })
  await emit(tx, noteCreated, note)
  return note
}

interface Change {
  ticketId: string
  noteId: string
  actor: Actor
}

export async function updateNote(tx: TenantTx, { ticketId, noteId, actor }: Change, given: NoteChanges): Promise<Note> {
  const { activity_id, ...before } = await lockOwnNote(tx, ticketId, noteId, actor)
  const { body = before.body, mentioned_ids: mentioned = before.mentioned_ids } = given
  // Members who were mentioned before and left since stay mentioned.
  const added = await checkMentions(tx, ticketId, mentioned, new Set(before.mentioned_ids))
  if (body === before.body && added.join() === before.mentioned_ids.join()) return before
  await changeActivity(tx, activity_id, { note: body, note_id: noteId, inbox_id: ticketId })
  const after = await updateNoteRow(tx, noteId, { body, mentioned_ids: added })
  await emit(tx, noteUpdated, after, {
    ...(body !== before.body && { body: before.body }),
    ...(added.join() !== before.mentioned_ids.join() && { mentioned_ids: before.mentioned_ids }),
  })
  return after
}

export async function deleteNote(tx: TenantTx, { ticketId, noteId, actor }: Change): Promise<void> {
  const { activity_id, ...note } = await lockOwnNote(tx, ticketId, noteId, actor)
  await deleteNoteRow(tx, noteId)
  await removeActivities(tx, [activity_id])
  await emit(tx, noteDeleted, note)
  await recordAction(tx, 'note.deleted', { id: noteId })
}

/** The contact is locked first, as by every transaction that writes to its timeline. */
async function lockOwnNote(tx: TenantTx, ticketId: string, noteId: string, actor: Actor): Promise<StoredNote> {
  const ticket = found(await findContactOfTicket(tx, ticketId), 'Inbox ticket')
  await lockContacts(tx, [ticket.contact_id])
  const note = found(await lockNote(tx, ticketId, noteId), 'Note')
  // Keys without a creator share their notes.
  if (note.author_id !== actor.id) throw new AppError(403, 'Only the author of a note can change or delete it')
  return note
}

/** The mentioned members, each once. */
async function checkMentions(
  tx: TenantTx,
  ticketId: string,
  ids: string[],
  known = new Set<string>(),
): Promise<string[]> {
  const fresh = ids.filter((id) => !known.has(id))
  const members = await membersWhoMay(tx, fresh, anyScope)
  if (fresh.some((id) => !members.has(id))) throw new AppError(404, 'mentioned_ids names someone who is no member')
  const readers = await membersWhoMay(tx, fresh, 'inbox:read')
  const seeing = new Set((await findSeeing(tx, ticketId, fresh)).map(({ id }) => id))
  const faults = ids.flatMap((id, i) => {
    if (known.has(id) || (readers.has(id) && seeing.has(id))) return []
    const msg = `${id} has no access to this conversation`
    return [{ loc: ['body', 'mentioned_ids', String(i)], msg, type: 'value_error' }]
  })
  if (faults.length > 0) throw new InvalidInput(faults)
  return [...new Set(ids)]
}
