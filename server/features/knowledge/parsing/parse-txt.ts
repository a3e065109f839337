import { encodingOf } from '../../../platform/text-encoding/encoding-detector.ts'
import { UnreadableDocument } from './document.ts'

/** UTF-8, UTF-16, otherwise the encoding in which it reads like a language. */
export function decodeText(bytes: Buffer): string {
  const encoding = encodingOf(bytes)
  const text = new TextDecoder(encoding ?? 'windows-1252').decode(bytes)
  if (text.includes('\0') || controlShare(text) > 0.02)
    throw new UnreadableDocument(
      'binary',
      'The file is named .txt but holds something other than text. Save it as plain text in UTF-8 and upload it again.',
    )
  if (!encoding)
    throw new UnreadableDocument(
      'damaged',
      'The text of this file could not be read: its character encoding is unknown. Save it in UTF-8 and upload it again.',
    )
  return text
}

/** Text has next to no control characters besides white space; an occasional form feed or escape is harmless. */
function controlShare(text: string): number {
  let controls = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 9 || (code > 13 && code < 32) || (code > 126 && code < 160)) controls++
  }
  return controls / Math.max(1, text.length)
}
