import type { TenantTx } from '../../../platform/database.ts'
import { conflict, found, invalid, violates } from '../../../platform/errors.ts'
import { newId } from '../../../platform/ids.ts'
import { contactSyntax } from '../../templates/content/values.ts'
import { savedReplyEvents } from '../events.ts'
import { announceOwned, ownerOf } from '../owned.ts'
import { unknownFieldIn } from '../sending/fill-reply.ts'
import {
  countSavedReplies,
  countUse,
  deleteSavedReplyRow,
  insertSavedReply,
  lockSavedReply,
  updateSavedReplyRow,
} from './queries.ts'
import type { NewSavedReply, SavedReply, SavedReplyChanges } from './schema.ts'

const mostReplies = 5_000

export async function createSavedReply(
  tx: TenantTx,
  memberId: string | null,
  { name, body, shared }: NewSavedReply,
): Promise<SavedReply> {
  checkBody(body)
  const { n } = await countSavedReplies(tx)
  if (n >= mostReplies) throw conflict(`An organization can have ${mostReplies} saved replies: delete one first`)
  const values = { name: name.trim(), body, ownerId: ownerOf(shared, memberId) }
  const after = await insertSavedReply(tx, newId(), values).catch((error) => nameIsTaken(error, name))
  await announceOwned(tx, savedReplyEvents, { after })
  return after
}

export async function updateSavedReply(
  tx: TenantTx,
  memberId: string | null,
  id: string,
  changes: SavedReplyChanges,
): Promise<SavedReply> {
  const before = found(await lockSavedReply(tx, memberId, id), 'Saved reply')
  const { name = before.name, body = before.body, shared = before.shared } = changes
  if (body === '' && before.attachments.length === 0) throw emptyBody()
  if (body !== '') checkBody(body)
  const values = { name: name.trim(), body, ownerId: ownerOf(shared, memberId) }
  const after = await updateSavedReplyRow(tx, id, values).catch((error) => nameIsTaken(error, name))
  await announceOwned(tx, savedReplyEvents, { before, after })
  return after
}

export async function deleteSavedReply(tx: TenantTx, memberId: string | null, id: string): Promise<void> {
  const before = found(await lockSavedReply(tx, memberId, id), 'Saved reply')
  await deleteSavedReplyRow(tx, id)
  await announceOwned(tx, savedReplyEvents, { before })
}

/** Counts that a message was sent with it. */
export async function useSavedReply(tx: TenantTx, memberId: string | null, id: string): Promise<void> {
  if ((await countUse(tx, memberId, id)) === 0)
    throw invalid(['body', 'saved_reply_id'], 'No saved reply with this id, or it is private to another member')
}

const emptyBody = () => invalid(['body', 'body'], 'body must not be empty without an attachment', 'string_too_short')

function checkBody(body: string): void {
  if (body.trim() === '') throw emptyBody()
  const unknown = unknownFieldIn(body)
  if (unknown) throw invalid(['body', 'body'], `${unknown} is no field of a contact: use ${contactSyntax}`)
}

function nameIsTaken(error: unknown, name: string): never {
  throw violates(error, 'saved_replies_name_is_unique')
    ? conflict(`There is a saved reply called ${name.trim()} already`)
    : error
}
