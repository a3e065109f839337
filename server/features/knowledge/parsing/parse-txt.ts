import { detectEncoding, detectSevenBit } from './detect-encoding.ts'
import { UnreadableDocument } from './document.ts'

/** UTF-8, UTF-16, otherwise the encoding in which it reads like a language. */
export function decodeText(bytes: Buffer): string {
  const encoding =
    utf16Of(bytes) ?? detectSevenBit(bytes) ?? (isUtf8(bytes) ? 'utf-8' : (detectEncoding(bytes) ?? westernOf(bytes)))
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

/** A text whose few characters beyond ASCII are signs, such as € and ©, is most likely Western. */
const westernOf = (bytes: Buffer) =>
  bytes.filter((byte) => byte > 127).length <= bytes.length / 20 ? 'windows-1252' : undefined

/**
 * By its byte order mark; without one, by every other byte of the beginning being zero, as with Latin letters, or by
 * what it reads as.
 */
export function utf16Of(bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const mark = bytes.subarray(0, 2).toString('hex')
  if (mark === 'fffe') return 'utf-16le'
  if (mark === 'feff') return 'utf-16be'
  const head = bytes.subarray(0, 1024)
  const most = (head.length / 2) * 0.7
  const zerosAt = (first: number) => head.filter((byte, i) => byte === 0 && i % 2 === first).length
  const [even, odd] = [zerosAt(0), zerosAt(1)]
  if (odd > most && even === 0) return 'utf-16le'
  if (even > most && odd === 0) return 'utf-16be'
  const detected = head.includes(0) ? detectEncoding(head) : undefined
  return detected === 'utf-16le' || detected === 'utf-16be' ? detected : undefined
}

/** A few invalid bytes do not make it another encoding: in a wrong one hardly any accent would be right. */
function isUtf8(bytes: Buffer): boolean {
  const text = bytes.toString('utf8')
  let beyondAscii = 0
  let wrong = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 127) beyondAscii++
    if (code === 0xfffd) wrong++
  }
  return wrong <= beyondAscii / 10
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
