import type { Database, TenantScope, TenantSql, TenantTx } from '../../../platform/database.ts'
import { conflict, found, invalid } from '../../../platform/errors.ts'
import type { ServedFile } from '../../../platform/http/file-answer.ts'
import type { ReceivedFile } from '../../../platform/http/upload.ts'
import { newId } from '../../../platform/ids.ts'
import type { FileStore } from '../../../providers/files/contract.ts'
import { readFound } from '../../../providers/files/read-found.ts'
import { claimKeptFile, type FreshFile, keepFile } from '../../files/keep-file.ts'
import { savedReplyEvents } from '../events.ts'
import { mayBeShown, servedType } from '../media/media-types.ts'
import { announceOwned } from '../owned.ts'
import { fileToSend } from '../sending/reply-file.ts'
import {
  deleteAttachment,
  findAttachment,
  findSavedReply,
  insertAttachment,
  lockSavedReply,
  replaceAttachment,
  touchSavedReply,
} from './queries.ts'
import { mostAttachments, type SavedReply } from './schema.ts'

/** An attachment of a saved reply that the member can use; without an id, the first one. */
interface AttachmentRef {
  memberId: string | null
  id: string
  attachmentId?: string
}

/** Undefined if the reply has no such attachment. */
const attachmentIn = ({ attachments }: SavedReply, { attachmentId }: AttachmentRef): string | undefined =>
  attachmentId === undefined ? attachments[0]?.id : attachments.find(({ id }) => id === attachmentId)?.id

/** Stores a file that is sent with a saved reply, after the others or in place of the first. It must be one that can be sent. */
export async function storeAttachment(
  deps: { database: Database; files: FileStore },
  scope: TenantScope,
  { memberId, id, replacesFirst }: AttachmentRef & { replacesFirst: boolean },
  receive: (store: (bytes: AsyncIterable<Buffer>) => Promise<void>) => Promise<ReceivedFile>,
): Promise<SavedReply> {
  found(await findSavedReply(deps.database.forTenant(scope), memberId, id), 'Saved reply')
  let fresh: FreshFile | undefined
  try {
    const { fileName, mimeType: declaredType } = await receive(async (bytes) => {
      fresh = await keepFile(deps, scope, bytes, 'saved-replies')
    })
    if (!fresh) throw invalid(['body', 'file'], 'A file is required', 'missing')
    const as = { wanted: undefined, isSticker: false, caption: '', loc: ['body', 'file'] }
    const { key, size, sha256, mimeType, ...named } = fileToSend(fresh, { fileName, declaredType }, as)
    const file = { key, size, sha256, mimeType, fileName: named.fileName }
    return await deps.database.inTenant(scope, async (tx) => {
      const before = found(await lockSavedReply(tx, memberId, id), 'Saved reply')
      const first = replacesFirst ? before.attachments[0] : undefined
      if (!first && before.attachments.length >= mostAttachments)
        throw conflict(`A saved reply can have ${mostAttachments} attachments: remove one first`)
      await claimKeptFile(tx, key)
      if (first) await replaceAttachment(tx, first.id, file)
      else await insertAttachment(tx, newId(), id, file)
      const after = await touchSavedReply(tx, id)
      await announceOwned(tx, savedReplyEvents, { before, after })
      return after
    })
  } catch (error) {
    await fresh?.discard()
    throw error
  }
}

export async function removeAttachment(tx: TenantTx, ref: AttachmentRef): Promise<SavedReply> {
  const before = found(await lockSavedReply(tx, ref.memberId, ref.id), 'Saved reply')
  const attachmentId = found(attachmentIn(before, ref), 'Attachment')
  if (before.body === '' && before.attachments.length === 1)
    throw invalid(['path', 'saved_reply_id'], 'This reply has no text: it needs its attachment')
  await deleteAttachment(tx, attachmentId)
  const after = await touchSavedReply(tx, ref.id)
  await announceOwned(tx, savedReplyEvents, { before, after })
  return after
}

export async function openAttachment(
  sql: TenantSql,
  { files }: { files: FileStore },
  ref: AttachmentRef,
): Promise<ServedFile> {
  const reply = found(await findSavedReply(sql, ref.memberId, ref.id), 'Saved reply')
  const attachmentId = found(attachmentIn(reply, ref), 'Attachment')
  const { file_key, size_bytes, sha256, mime_type, file_name } = found(
    await findAttachment(sql, ref.id, attachmentId),
    'Attachment',
  )
  const mimeType = servedType(mime_type)
  return {
    size: size_bytes,
    etag: sha256,
    mimeType,
    fileName: file_name,
    mayBeShown: mayBeShown(mimeType),
    read: readFound(files, file_key, 'Attachment'),
  }
}
