import { detectKind } from './detect-kind.ts'
import type { DocumentType } from './document.ts'
import { documentTypes, UnreadableDocument } from './document.ts'
import { type FileKind, factsOf } from './file-kinds.ts'
import { isOle, looksLikeHtml, pdfStart, startOf } from './signatures.ts'
import { listZip, looksLikeZip } from './zip.ts'

/** What the name promises: `.pdf`, `.docx` or `.txt` in any case; nothing else is taken. */
export function typeByName(fileName: string): DocumentType | undefined {
  const extension = /\.([a-z]+)$/i.exec(fileName.trim())?.[1]?.toLowerCase()
  return extension === 'pdf' || extension === 'docx' || extension === 'txt' ? extension : undefined
}

type Content = DocumentType | 'office' | 'zip' | 'ole' | 'rtf' | 'picture' | 'web page' | 'other'

const words: Record<Exclude<Content, 'other' | 'ole'>, string> = {
  pdf: 'a PDF',
  docx: 'a Word document',
  txt: 'plain text',
  office: 'another kind of office document',
  zip: 'a ZIP archive',
  rtf: 'a rich text document (RTF)',
  picture: 'a picture',
  'web page': 'a web page',
}

/** Throws unless the file is what its name promised. */
export function checkContent(bytes: Buffer, type: FileKind): void {
  if (bytes.length === 0) throw new UnreadableDocument('empty', 'The file is empty.')
  if (isDocumentType(type)) checkDocument(bytes, type)
  else checkKind(bytes, type)
}

function checkKind(bytes: Buffer, type: FileKind): void {
  const [extension] = factsOf(type).extensions
  if (isOle(bytes))
    throw new UnreadableDocument(
      'encrypted',
      `The file is ${factsOf(type).noun} with a password, or of a version before 2007. ` +
        `Save it without a password as .${extension} and upload it again.`,
    )
  const found = detectKind(bytes, `file.${extension}`)
  if (found === type) return
  const what = found ? factsOf(found).noun : 'something else or damaged from the first byte on'
  throw new UnreadableDocument('mislabelled', `The file is taken for ${factsOf(type).noun} but is ${what}.`)
}

const isDocumentType = (kind: FileKind): kind is DocumentType => (documentTypes as readonly FileKind[]).includes(kind)

function checkDocument(bytes: Buffer, type: DocumentType): void {
  const content = contentOf(bytes, type)
  if (content === type) return
  if (content === 'ole' && type === 'docx')
    throw new UnreadableDocument(
      'encrypted',
      'The file is a Word document with a password, or of a version before 2007. ' +
        'Save it without a password as .docx and upload it again.',
    )
  if (content === 'other' || content === 'ole')
    throw new UnreadableDocument(
      type === 'txt' ? 'binary' : 'mislabelled',
      `The file is named .${type} but its content is something else or damaged from the first byte on.`,
    )
  throw new UnreadableDocument('mislabelled', `The file is named .${type} but is ${words[content]}.`)
}

const pictures = ['89504e47', 'ffd8ff', '47494638', '49492a00', '4d4d002a', '52494646']

function contentOf(bytes: Buffer, expected: DocumentType): Content {
  const head = bytes.subarray(0, 16).toString('hex')
  const start = startOf(bytes)
  if (expected === 'pdf' ? pdfStart(bytes) >= 0 : start.startsWith('%pdf-') && bytes.includes('endobj')) return 'pdf'
  if (looksLikeZip(bytes)) return zipContent(bytes)
  if (isOle(bytes)) return 'ole'
  if (pictures.some((magic) => head.startsWith(magic))) return 'picture'
  if (start.startsWith('{\\rtf')) return 'rtf'
  // A text about web pages, or their source, may well be meant as text.
  if (expected === 'txt') return 'txt'
  if (looksLikeHtml(start)) return 'web page'
  return looksLikeText(bytes) ? 'txt' : 'other'
}

function zipContent(bytes: Buffer): Content {
  const names = listZip(bytes).map(({ name }) => name)
  if (names.some((name) => /^word\/[^/]*\.xml$/i.test(name))) return 'docx'
  return names.includes('[Content_Types].xml') || names.includes('mimetype') ? 'office' : 'zip'
}

function looksLikeText(bytes: Buffer): boolean {
  const sample = bytes.subarray(0, 4096)
  return (
    !sample.includes(0) && sample.filter((byte) => byte < 9 || (byte > 13 && byte < 32)).length < sample.length / 100
  )
}
