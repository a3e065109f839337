import { decodeText } from '../parse-txt.ts'

/** Browsers look for the declaration in the first kilobyte; some pages have it a little later. */
const declarationBytes = 4096

/** The text of a page: by its byte order mark, the response's charset, its own declaration, or what it reads like. */
export function decodeHtml(bytes: Buffer, charset?: string): string {
  const mark = bytes.subarray(0, 3).toString('hex')
  if (mark.startsWith('fffe') || mark.startsWith('feff') || mark === 'efbbbf') return decodeText(bytes)
  const head = bytes.subarray(0, declarationBytes).toString('latin1')
  const declared = charset ?? /<(?:meta|\?xml)[^>]+(?:charset|encoding)\s*=\s*["']?\s*([\w-]+)/i.exec(head)?.[1]
  const decoder = declared ? decoderOf(declared) : undefined
  // Pages that declare UTF-8 and are something else are frequent enough.
  if (!decoder || decoder.encoding === 'utf-8') return decodeText(bytes)
  return decoder.decode(bytes)
}

function decoderOf(label: string) {
  try {
    return new TextDecoder(label)
  } catch {
    return undefined
  }
}
