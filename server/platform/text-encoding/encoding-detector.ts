import { isAscii } from 'node:buffer'
import { detectEncoding, detectSevenBit, sampleBytes } from './detect-encoding.ts'

interface EncodingDetector {
  see(bytes: Buffer): void
  /** A label of `TextDecoder`; undefined if the bytes read like no language in any encoding. */
  encoding(): string | undefined
}

const likeUtf8 = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g
/** A character whose last bytes are in the next piece of the file. */
const incomplete = /(?:[\xc2-\xf4]|[\xe0-\xf4][\x80-\xbf]|[\xf0-\xf4][\x80-\xbf]{2})$/
const highByte = /[\x80-\xff]/g
/** Control characters in the ISO encodings. Their euro sign is the byte of ¤, which no text has. */
const windowsSign = /[\x80-\x9f]/
const countOf = (pattern: RegExp, text: string) => text.match(pattern)?.length ?? 0

/** Up to this share of a file, bytes beyond ASCII are signs such as € and ©, which Western texts have. */
const fewHighBytes = 1 / 20
/** Signs of windows-1252 that stand alone or beside a few others: "80 €", "9–17", "“…”". */
const westernSigns = /^(?:[\0-\x7f]|(?<![^\0-\x7f]{3})[€‚„…‘’“”•–—™ ¢£¥§©«®°±²³·»¼½¾×])*$/u

/**
 * Detects the encoding while a file passes through. A byte order mark decides; valid UTF-8 is UTF-8, and so is a file
 * with a few damaged characters: they must not garble all others. Otherwise it is the encoding in which the text reads
 * like a language.
 */
export function createEncodingDetector(): EncodingDetector {
  let marked: string | undefined
  let isFirst = true
  let [sequences, strayBytes, highBytes, allBytes] = [0, 0, 0, 0]
  let [hasLatin9Euro, hasWindowsSigns] = [false, false]
  let rest = ''
  /** Starts at the first bytes beyond ASCII: the text before them says nothing about the encoding. */
  let sample: Buffer = Buffer.alloc(0)

  return {
    see(bytes) {
      if (isFirst) marked = utf16Of(bytes)
      isFirst = false
      if (marked?.startsWith('utf-16')) return
      marked ??= detectSevenBit(bytes)
      allBytes += bytes.length
      if (rest === '' && isAscii(bytes)) return
      const all = rest + bytes.toString('latin1')
      rest = incomplete.exec(all)?.[0] ?? ''
      const text = all.slice(0, all.length - rest.length)
      sequences += countOf(likeUtf8, text)
      strayBytes += countOf(highByte, text.replace(likeUtf8, ''))
      highBytes += countOf(highByte, text)
      hasLatin9Euro ||= text.includes('\xa4')
      hasWindowsSigns ||= windowsSign.test(text)
      if (sample.length < sampleBytes)
        sample = Buffer.concat([sample, bytes.subarray(lineOf(bytes))]).subarray(0, sampleBytes)
    },
    encoding() {
      if (marked) return marked
      strayBytes += rest.length
      rest = ''
      if (strayBytes === 0 || sequences > 2 * strayBytes) return 'utf-8'
      const detected =
        detectEncoding(sample) ?? (highBytes <= allBytes * fewHighBytes || hasOnlySigns(sample) ? western : undefined)
      return detected === western && hasLatin9Euro && !hasWindowsSigns ? 'iso-8859-15' : detected
    },
  }
}

const western = 'windows-1252'
const hasOnlySigns = (bytes: Buffer) => westernSigns.test(new TextDecoder(western).decode(bytes))

/** Where the line with the first byte beyond ASCII begins. */
const lineOf = (bytes: Buffer): number =>
  Math.max(
    0,
    bytes.lastIndexOf(
      0x0a,
      bytes.findIndex((byte) => byte > 127),
    ),
  )

const pieceBytes = 1 << 18

export function encodingOf(bytes: Buffer): string | undefined {
  const detector = createEncodingDetector()
  for (let at = 0; at < bytes.length; at += pieceBytes) detector.see(bytes.subarray(at, at + pieceBytes))
  return detector.encoding()
}

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
