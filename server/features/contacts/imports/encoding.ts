import { isAscii } from 'node:buffer'
import type { Encoding } from './schema.ts'

interface EncodingDetector {
  see(bytes: Buffer): void
  encoding(): Encoding
}

const likeUtf8 = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g
const highByte = /[\x80-\xff]/g
const countOf = (pattern: RegExp, text: string) => text.match(pattern)?.length ?? 0

/**
 * Detects the encoding while a file passes through. A byte order mark decides; valid UTF-8 is UTF-8. Otherwise it is
 * the one that explains more of the bytes beyond ASCII: one damaged character must not garble all others.
 */
export function createEncodingDetector(): EncodingDetector {
  const strict = new TextDecoder('utf-8', { fatal: true })
  let marked: Encoding | undefined
  let isFirst = true
  let isValid = true
  let sequences = 0
  let strayBytes = 0

  const readStrictly = (bytes?: Buffer) => {
    try {
      if (isValid) strict.decode(bytes, { stream: bytes !== undefined })
    } catch {
      isValid = false
    }
  }

  return {
    see(bytes) {
      if (isFirst) marked = byteOrderMark(bytes)
      isFirst = false
      if (marked) return
      readStrictly(bytes)
      if (isAscii(bytes)) return
      const text = bytes.toString('latin1')
      sequences += countOf(likeUtf8, text)
      strayBytes += countOf(highByte, text.replace(likeUtf8, ''))
    },
    encoding() {
      if (marked) return marked
      readStrictly()
      return isValid || sequences > strayBytes ? 'utf-8' : 'windows-1252'
    },
  }
}

function byteOrderMark(bytes: Buffer): Encoding | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}
