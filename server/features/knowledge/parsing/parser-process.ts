import { readFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type ChunkCuts, findCuts } from '../chunking/split-text.ts'
import { detectLanguage } from './detect-language.ts'
import { checkContent, pdfStart } from './detect-type.ts'
import { type DocumentType, type ParsedDocument, UnreadableDocument } from './document.ts'
import { type PdfEngine, parsePdf } from './parse-pdf.ts'
import { decodeText } from './parse-txt.ts'
import { createTextBuilder, type ExtractedText } from './text-builder.ts'
import type { WatchedLimits } from './watchdog.ts'

/** What this process is told, as its one argument. */
export interface ParseOrder {
  file: string
  type: DocumentType
  characters: number
  engine: PdfEngine
  limits: WatchedLimits
}

/**
 * What it answers, a line of JSON each, on its fourth channel: the parsers may print what they like on the others. The
 * text of a document follows after its line, as UTF-8 to the end.
 */
export type ParseNews =
  | { progress: number }
  | { document: DocumentNews }
  | { unreadable: Pick<UnreadableDocument, 'code' | 'message'> }

export type DocumentNews = Omit<ParsedDocument, 'text'> & { cuts: ChunkCuts[] }

const out = new Socket({ fd: 3, readable: false, writable: true })
const say = (news: ParseNews) => out.write(`${JSON.stringify(news)}\n`)

async function parse({ file, type, characters, engine }: ParseOrder): Promise<ParsedDocument> {
  const bytes = readFileSync(file)
  checkContent(bytes, type)
  const extracted = await extract(bytes, type, engine, characters)
  if (!/[\p{L}\p{N}]/u.test(extracted.text)) throw noText(bytes, type)
  if (unreadableShare(extracted.text) > 0.5)
    throw new UnreadableDocument(
      'damaged',
      'The letters of this document cannot be told: its fonts do not say which characters they draw.',
    )
  return { ...extracted, language: detectLanguage(extracted.text) }
}

async function extract(
  bytes: Buffer,
  type: DocumentType,
  engine: PdfEngine,
  characters: number,
): Promise<ExtractedText> {
  switch (type) {
    case 'pdf': {
      const onProgress = (progress: number) => say({ progress })
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

/** Characters that mean nothing outside the font they came from. */
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

try {
  const order: ParseOrder = JSON.parse(process.argv[2] as string)
  new Worker(join(import.meta.dirname, 'watchdog.ts'), { workerData: order.limits }).unref()
  const document = await parse(order)
  const { text, ...description } = document
  say({ document: { ...description, cuts: findCuts(document) } })
  out.write(text)
} catch (error) {
  if (!(error instanceof UnreadableDocument)) throw error
  if (error.cause) process.stderr.write(`${error.cause}\n`)
  say({ unreadable: { code: error.code, message: error.message } })
}
out.end()
