import type { Database, TenantScope, TenantSql, TenantTx } from '../../../platform/database.ts'
import { found, invalid, notFound } from '../../../platform/errors.ts'
import type { ServedFile } from '../../../platform/http/file-answer.ts'
import type { ReceivedFile } from '../../../platform/http/upload.ts'
import { FileMissing, type FileStore } from '../../../providers/files/contract.ts'
import { claimKeptFile, type FreshFile, keepFile } from '../../files/keep-file.ts'
import { savedReplyEvents } from '../events.ts'
import { mayBeShown, servedType } from '../media/media-types.ts'
import { announceOwned } from '../owned.ts'
import { fileToSend } from '../sending/reply-file.ts'
import { findAttachment, findSavedReply, lockSavedReply, replaceAttachment } from './queries.ts'
import type { SavedReply } from './schema.ts'

interface Owner {
  memberId: string | null
  id: string
}

/** Stores the file that is sent with a saved reply, in place of the previous one. It must be one that can be sent. */
export async function putAttachment(
  deps: { database: Database; files: FileStore },
  scope: TenantScope,
  { memberId, id }: Owner,
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
    const { key, size, sha256, mimeType, ...file } = fileToSend(fresh, { fileName, declaredType }, as)
    return await deps.database.inTenant(scope, async (tx) => {
      const before = found(await lockSavedReply(tx, memberId, id), 'Saved reply')
      await claimKeptFile(tx, key)
      const after = await replaceAttachment(tx, id, { key, size, sha256, mimeType, fileName: file.fileName })
      await announceOwned(tx, savedReplyEvents, { before, after })
      return after
    })
  } catch (error) {
    await fresh?.discard()
    throw error
  }
}

export async function removeAttachment(tx: TenantTx, { memberId, id }: Owner): Promise<SavedReply> {
  const before = found(await lockSavedReply(tx, memberId, id), 'Saved reply')
  const { attachment, body } = before
  if (attachment === null) throw notFound('Attachment')
  if (body === '') throw invalid(['path', 'saved_reply_id'], 'This reply has no text: it needs its attachment')
  const after = await replaceAttachment(tx, id, null)
  await announceOwned(tx, savedReplyEvents, { before, after })
  return after
}

export async function openAttachment(
  sql: TenantSql,
  { files }: { files: FileStore },
  { memberId, id }: Owner,
): Promise<ServedFile> {
  const reply = found(await findAttachment(sql, memberId, id), 'Saved reply')
  const { file_key: key, size_bytes: size, sha256, mime_type, file_name } = reply
  if (key === null || size === null || sha256 === null) throw notFound('Attachment')
  const mimeType = servedType(mime_type)
  return {
    size,
    etag: sha256,
    mimeType,
    fileName: file_name,
    mayBeShown: mayBeShown(mimeType),
    read: (range) =>
      files.read(key, range).catch((error) => {
        throw error instanceof FileMissing ? notFound('Attachment') : error
      }),
  }
}
