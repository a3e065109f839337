import { detectLanguage } from './detect-language.ts'
import { checkContent, pdfStart } from './detect-type.ts'
import { type DocumentType, type ParsedDocument, UnreadableDocument } from './document.ts'
import { type PdfEngine, parsePdf } from './parse-pdf.ts'
import { decodeText } from './parse-txt.ts'
import { createTextBuilder, type ExtractedText } from './text-builder.ts'

interface Parse {
  type: DocumentType
  /** The longest text that it may become. */
  characters: number
  engine: PdfEngine
  onProgress: (share: number) => void
}

/** The text of a file; throws `UnreadableDocument` when it has none, or is not of the expected type. */
export async function parseBytes(bytes: Buffer, parse: Parse): Promise<ParsedDocument> {
  const { type } = parse
  checkContent(bytes, type)
  const extracted = await extract(bytes, parse)
  if (!/[\p{L}\p{N}]/u.test(extracted.text)) throw noText(bytes, type)
  if (unreadableShare(extracted.text) > 0.5)
    throw new UnreadableDocument(
      'damaged',
      'The letters of this document cannot be told: its fonts do not say which characters they draw.',
    )
  return { ...extracted, language: detectLanguage(extracted.text) }
}

async function extract(bytes: Buffer, { type, characters, engine, onProgress }: Parse): Promise<ExtractedText> {
  switch (type) {
    case 'pdf': {
      const reading = () => ({ builder: createTextBuilder(characters), onProgress })
      return (await parsePdf(bytes.subarray(pdfStart(bytes)), engine, reading)).finish()
    }
    case 'docx': {
      const { parseDocx } = await import('./parse-docx.ts')
      return parseDocx(bytes, createTextBuilder(characters))
    }
    case 'txt': {
      const text = decodeText(bytes)
      createTextBuilder(characters).add(text)
      return { text, pages: [], headings: [] }
    }
  }
}

function noText(bytes: Buffer, type: DocumentType): UnreadableDocument {
  if (type === 'pdf' && /\/Subtype\s*\/Image/.test(bytes.toString('latin1')))
    return new UnreadableDocument(
      'scanned',
      'The PDF holds pictures of pages but no text. Run text recognition (OCR) on it and upload it again.',
    )
  return new UnreadableDocument('empty', 'There is no text in the file.')
}

/** Private-use characters mean nothing outside the font they came from. */
function unreadableShare(text: string): number {
  let meant = 0
  let unknown = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 32) meant++
    if ((code >= 0xe000 && code <= 0xf8ff) || code === 0xfffd) unknown++
  }
  return meant === 0 ? 0 : unknown / meant
}
