import { AppError, invalid } from '../../../platform/errors.ts'
import { mimeTypeOf } from '../../../platform/mime-types.ts'
import type { FreshFile } from '../../files/keep-file.ts'
import type { KeptFile } from '../media/kept-file.ts'
import { isAnimatedWebp, type MediaType, mediaRules, mediaTypeOf, stickerRule } from '../media/media-types.ts'
import type { MessageType } from '../schema.ts'
import { longestCaption } from './schema.ts'

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
