import type { Database, TenantScope } from '../../../platform/database.ts'
import { AppError, invalid } from '../../../platform/errors.ts'
import { newId } from '../../../platform/ids.ts'
import { type FileStore, fileKey } from '../../../providers/files/contract.ts'
import type { KeptFile } from '../media/kept-file.ts'
import { announceFile, forgetFile } from '../media/media-queries.ts'
import { headBytes, type MediaType, mediaRules, mediaTypeOf, mimeTypeOf } from '../media/media-types.ts'
import { longestCaption, type MessageType } from '../schema.ts'

interface DeclaredFile {
  fileName: string
  /** The MIME type that the sender declared. */
  declaredType: string
}

export interface Keeping {
  database: Database
  files: FileStore
}

/**
 * Streams the bytes into the file store. The file is scheduled for removal before a message owns it, so that a process
 * that dies in between leaves no orphan.
 */
export async function keepFile({ database, files }: Keeping, scope: TenantScope, bytes: AsyncIterable<Buffer>) {
  const id = newId()
  const key = fileKey(scope, 'media', id)
  const sql = database.forTenant(scope)
  await announceFile(sql, key)
  /** Removes the file if it is not sent after all. */
  const discard = async () => {
    await files.remove(key)
    await forgetFile(sql, key)
  }
  let head = Buffer.alloc(0)
  async function* remembering() {
    for await (const piece of bytes) {
      if (head.length < headBytes) head = Buffer.concat([head, piece.subarray(0, headBytes - head.length)])
      yield piece
    }
  }
  try {
    const { size, sha256 } = await files.write(key, remembering())
    return { id, key, size, sha256, head, discard }
  } catch (error) {
    await discard()
    throw error
  }
}
export type FreshFile = Awaited<ReturnType<typeof keepFile>>

/** Determines the MIME type and the message type. Throws if the platform would not accept the file as that type. */
export function fileToSend(
  { id, key, size, sha256, head }: FreshFile,
  { fileName, declaredType }: DeclaredFile,
  { wanted, caption, loc }: { wanted: MessageType | undefined; caption: string; loc: string[] },
): KeptFile {
  const mimeType = mimeTypeOf(head, declaredType, fileName)
  const sendAs = wanted ?? mediaTypeOf(mimeType)
  if (sendAs === 'text') throw textWithFile(loc)
  checkCaption(sendAs, caption)
  const { maxBytes, mimeTypes } = mediaRules[sendAs]
  if (size === 0) throw invalid(loc, 'The file is empty')
  if (!mimeTypes.includes(mimeType))
    throw invalid(loc, `The platform takes ${mimeTypes.join(', ')} as ${sendAs}; this is ${mimeType}`, 'media_type')
  if (size > maxBytes)
    throw new AppError(413, `The platform takes at most ${maxBytes.toLocaleString('en')} bytes as ${sendAs}`)
  return { id, key, sendAs, mimeType, fileName: fileName || 'file', size, sha256 }
}

export const textWithFile = (loc: string[]) =>
  invalid(loc, 'A message of type text cannot have a file: choose another message_type')

function checkCaption(type: MediaType, caption: string): void {
  if (type === 'audio' && caption !== '')
    throw invalid(['body', 'body'], 'Audio cannot have a caption: leave body empty')
  if (caption.length > longestCaption)
    throw invalid(['body', 'body'], `A caption must have at most ${longestCaption} characters`, 'string_too_long')
}
