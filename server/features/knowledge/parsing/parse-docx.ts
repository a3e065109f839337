import mammoth from 'mammoth'
import { cleanText } from './clean-text.ts'
import { UnreadableDocument } from './document.ts'
import type { ExtractedText, TextBuilder } from './text-builder.ts'
import { inflateEntry, listZip, packZip, type ZipEntry } from './zip.ts'

/** Mammoth's model of a document before it becomes HTML; only the parts that are read here. */
interface Element {
  type: string
  children?: Element[]
  value?: string
  styleName?: string | null
  numbering?: { level: string | number; isOrdered: boolean } | null
  checked?: boolean
  noteType?: string
  noteId?: string
}

interface WordDocument extends Element {
  notes: { resolve(reference: Element): { body: Element[] } | undefined }
}

/** Word's XML compresses ten- to fiftyfold; an archive beyond this was built to exhaust memory. */
const maxRatio = 200
const ratioMattersFromBytes = 4 << 20
/** The parsed tree takes about thirty times as much memory. */
const maxXmlBytes = 48 << 20

export async function parseDocx(bytes: Buffer, builder: TextBuilder): Promise<ExtractedText> {
  const buffer = packZip(readXmlParts(bytes))
  let document: WordDocument | undefined
  try {
    await mammoth.convertToHtml(
      { buffer },
      {
        includeEmbeddedStyleMap: false,
        externalFileAccess: false,
        // Only the parsed document is needed: mammoth gets an empty one to convert to HTML.
        transformDocument: (read: WordDocument) => {
          document = read
          return { ...read, children: [] }
        },
      },
    )
  } catch (error) {
    if (!document) throw new UnreadableDocument('damaged', 'The Word document is damaged and cannot be read.', error)
  }
  if (document) writeDocument(document, builder)
  return builder.finish()
}

/** Pictures and fonts are skipped: nothing but XML is ever inflated. */
function readXmlParts(bytes: Buffer): { name: string; content: Buffer }[] {
  const entries = listZip(bytes).filter(({ name }) => /\.(?:xml|rels)$/i.test(name))
  checkSizes(entries)
  return entries.map((entry) => {
    const content = inflateEntry(bytes, entry)
    // Office files have no document type; one that does is an attempt at entity expansion.
    if (content.includes('<!DOCTYPE') || content.includes('<!ENTITY') || content.includes('<\0!\0'))
      throw new UnreadableDocument('bomb', 'The Word document has definitions in it that no word processor writes.')
    return { name: entry.name, content }
  })
}

function checkSizes(entries: ZipEntry[]): void {
  let total = 0
  for (const { packed, size } of entries) {
    total += size
    if (size > ratioMattersFromBytes && size > packed * maxRatio)
      throw new UnreadableDocument('bomb', 'The Word document unpacks to far more than its size and was not opened.')
  }
  if (total > maxXmlBytes)
    throw new UnreadableDocument('too_long', 'The Word document is too long. Split it into smaller files.')
}

function writeDocument(document: WordDocument, builder: TextBuilder): void {
  const notes: Element[] = []
  let inList = false
  for (const block of document.children ?? []) {
    if (block.type === 'table') {
      builder.add(tableText(block, notes))
      inList = false
      continue
    }
    const text = inlineText(block, notes)
    if (text === '') continue
    const level = headingLevel(block.styleName)
    if (level) builder.addHeading(text.replaceAll('\n', ' '), level)
    else builder.add(listMark(block) + text, inList && block.numbering ? '\n' : '\n\n')
    inList = Boolean(block.numbering)
  }
  for (const reference of notes) {
    const body = document.notes.resolve(reference)?.body ?? []
    builder.add(blockTexts(body, [], ' '))
  }
}

function headingLevel(styleName: string | null | undefined): number | undefined {
  if (!styleName) return undefined
  if (/^title$/i.test(styleName)) return 1
  const level = /^heading ([1-9])$/i.exec(styleName)?.[1]
  return level ? Number(level) : undefined
}

/** The numbers themselves are not in the file; what matters is that these are items. */
const listMark = ({ numbering }: Element): string => (numbering ? `${'  '.repeat(Number(numbering.level) || 0)}- ` : '')

/** One line per row, so that a price stays beside its article. */
function tableText(table: Element, notes: Element[]): string {
  return (table.children ?? [])
    .map((row) => (row.children ?? []).map((cell) => blockTexts(cell.children ?? [], notes, ' ')).join(' | '))
    .filter((row) => /[^\s|]/.test(row))
    .join('\n')
}

function blockTexts(blocks: Element[], notes: Element[], separator: string): string {
  return blocks
    .map((block) => (block.type === 'table' ? tableText(block, notes) : listMark(block) + inlineText(block, notes)))
    .filter((text) => text !== '')
    .join(separator)
}

function inlineText(element: Element, notes: Element[]): string {
  let text = ''
  const collect = ({ type, value, checked, children }: Element, self: Element) => {
    if (type === 'text') text += value ?? ''
    else if (type === 'tab') text += '\t'
    else if (type === 'break') text += '\n'
    else if (type === 'checkbox') text += checked ? '[x] ' : '[ ] '
    else if (type === 'noteReference') notes.push(self)
    else if (type === 'table') text += `\n${tableText(self, notes)}\n`
    else for (const child of children ?? []) collect(child, child)
  }
  collect(element, element)
  return cleanText(text).trim()
}
