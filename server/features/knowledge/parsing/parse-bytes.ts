import { detectLanguage } from './detect-language.ts'
import { checkContent } from './detect-type.ts'
import { type ParsedDocument, UnreadableDocument } from './document.ts'
import { type FileKind, factsOf } from './file-kinds.ts'
import { isGibberish, unreadableShare } from './gibberish.ts'
import { type PdfEngine, parsePdf } from './parse-pdf.ts'
import { decodeText } from './parse-txt.ts'
import type { Recognition } from './recognition.ts'
import { pdfStart } from './signatures.ts'
import { createTextBuilder, type ExtractedText, type TextBuilder } from './text-builder.ts'

interface Parse {
  type: FileKind
  /** The longest text that it may become. */
  characters: number
  engine: PdfEngine
  onProgress: (share: number) => void
  recognition?: Recognition
  onRecognizing?: () => void
}

/** The text of a file; throws `UnreadableDocument` when it has none, or is not of the expected type. */
export async function parseBytes(bytes: Buffer, parse: Parse): Promise<ParsedDocument> {
  const { type } = parse
  checkContent(bytes, type)
  const extracted = await extract(bytes, parse)
  if (unreadableShare(extracted.text) > 0.5 || (type === 'pdf' && isGibberish(extracted.text)))
    throw new UnreadableDocument(
      'damaged',
      'The letters of this document cannot be told: its fonts do not say which characters they draw.',
    )
  if (!/[\p{L}\p{N}]/u.test(extracted.text)) throw noText(bytes, parse)
  return { ...extracted, language: await detectLanguage(extracted.text) }
}

type Read = (bytes: Buffer, builder: TextBuilder) => ExtractedText

/** Loaded when a file needs it: a process reads one file. */
const readers: Partial<Record<FileKind, () => Promise<Read>>> = {
  docx: () => import('./office/read-docx.ts').then(({ readDocx }) => readDocx),
  xlsx: () => import('./office/read-xlsx.ts').then(({ readXlsx }) => readXlsx),
  pptx: () => import('./office/read-pptx.ts').then(({ readPptx }) => readPptx),
  odt: () => import('./office/read-odt.ts').then(({ readOdt }) => readOdt),
  epub: () => import('./markup/read-epub.ts').then(({ readEpub }) => readEpub),
  rtf: () => import('./office/read-rtf.ts').then(({ readRtf }) => readRtf),
  html: () => import('./markup/read-html.ts').then(({ readHtml }) => readHtml),
  md: () => import('./markup/read-markdown.ts').then(({ readMarkdown }) => readMarkdown),
  csv: () => import('./read-csv.ts').then(({ readCsv }) => readCsv),
}

async function extract(bytes: Buffer, parse: Parse): Promise<ExtractedText> {
  const { type, characters, engine, recognition } = parse
  const reading = () => ({ ...parse, builder: createTextBuilder(characters) })
  if (type === 'pdf') return (await parsePdf(bytes.subarray(pdfStart(bytes)), engine, reading)).finish()
  if (type === 'txt') {
    const text = decodeText(bytes)
    createTextBuilder(characters).add(text)
    return { text, pages: [], headings: [] }
  }
  if (factsOf(type).isImage && recognition) {
    const { readImage } = await import('./read-pdf-native.ts')
    return (await readImage(bytes, { ...reading(), recognition })).finish()
  }
  const load = readers[type]
  if (!load) throw needsRecognition(type)
  return (await load())(bytes, createTextBuilder(characters))
}

const needsRecognition = (type: FileKind) =>
  new UnreadableDocument(
    'scanned',
    `The file is ${factsOf(type).noun}. Text recognition (OCR) is not set up on this server, so it cannot be read.`,
  )

function noText(bytes: Buffer, { type, recognition }: Parse): UnreadableDocument {
  const hasImages = factsOf(type).isImage || (type === 'pdf' && /\/Subtype\s*\/Image/.test(bytes.toString('latin1')))
  if (hasImages && recognition)
    return new UnreadableDocument('scanned', 'The file holds pictures in which text recognition (OCR) found no text.')
  if (hasImages)
    return new UnreadableDocument(
      'scanned',
      'The PDF holds pictures of pages but no text. Run text recognition (OCR) on it and upload it again.',
    )
  return new UnreadableDocument('empty', 'There is no text in the file.')
}
