import type { Database, TenantScope } from '../../../platform/database.ts'
import { AppError, invalid } from '../../../platform/errors.ts'
import { newId } from '../../../platform/ids.ts'
import { type FileStore, fileKey } from '../../../providers/files/contract.ts'
import type { KeptFile } from '../media/kept-file.ts'
import { announceFile, forgetFile } from '../media/media-queries.ts'
import {
  headBytes,
  isAnimatedWebp,
  type MediaType,
  mediaRules,
  mediaTypeOf,
  mimeTypeOf,
  stickerRule,
} from '../media/media-types.ts'
import { longestCaption, type MessageType } from '../schema.ts'

interface DeclaredFile {
  fileName: string
  /** The MIME type that the sender declared. */
  declaredType: string
}

/** What the sender wants the file to be sent as. */
export interface WantedFile {
  wanted: MessageType | undefined
  isSticker: boolean
  caption: string
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
  { wanted, isSticker, caption, loc }: WantedFile & { loc: string[] },
): KeptFile {
  const mimeType = mimeTypeOf(head, declaredType, fileName)
  const sendAs = isSticker ? stickerType(wanted) : (wanted ?? mediaTypeOf(mimeType))
  if (sendAs === 'text') throw textWithFile(loc)
  const word = isSticker ? 'sticker' : sendAs
  checkCaption(word, caption)
  const { maxBytes, mimeTypes } = isSticker ? stickerRule(isAnimatedWebp(head)) : mediaRules[sendAs]
  if (size === 0) throw invalid(loc, 'The file is empty')
  if (!mimeTypes.includes(mimeType))
    throw invalid(loc, `The platform takes ${mimeTypes.join(', ')} as ${word}; this is ${mimeType}`, 'media_type')
  if (size > maxBytes)
    throw new AppError(413, `The platform takes at most ${maxBytes.toLocaleString('en')} bytes as ${word}`)
  return { id, key, sendAs, isSticker, mimeType, fileName: fileName || 'file', size, sha256 }
}

function stickerType(wanted: MessageType | undefined): 'image' {
  if (wanted !== undefined && wanted !== 'image')
    throw invalid(['body', 'message_type'], 'message_type must be image or omitted with sticker')
  return 'image'
}

export const textWithFile = (loc: string[]) =>
  invalid(loc, 'A message of type text cannot have a file: choose another message_type')

function checkCaption(type: MediaType | 'sticker', caption: string): void {
  if (type === 'audio' && caption !== '')
    throw invalid(['body', 'body'], 'Audio cannot have a caption: leave body empty')
  if (type === 'sticker' && caption !== '')
    throw invalid(['body', 'body'], 'A sticker cannot have a caption: leave body empty')
  if (caption.length > longestCaption)
    throw invalid(['body', 'body'], `A caption must have at most ${longestCaption} characters`, 'string_too_long')
}
