import { type Archive, openArchive } from '../archive.ts'
import { type BlockWriter, writeText } from '../blocks.ts'
import { UnreadableDocument } from '../document.ts'
import {
  attribute,
  child,
  childrenNamed,
  descendants,
  isElement,
  type MarkupElement,
  type MarkupNode,
  textOf,
} from '../markup/read-markup.ts'
import { tableText } from '../tables.ts'
import type { ExtractedText, TextBuilder } from '../text-builder.ts'

interface OdtContext {
  /** Names of styles whose text is hidden. */
  hidden: ReadonlySet<string>
  /** Footnotes, endnotes and comments, which follow the text. */
  notes: string[]
}

const blockNames = [
  'p',
  'h',
  'list',
  'table',
  'numbered-paragraph',
  'tracked-changes',
  'section',
  'table-of-content',
  'frame',
  'style',
]

/** The text, then its notes and comments, then headers and footers. */
export function readOdt(bytes: Buffer, builder: TextBuilder): ExtractedText {
  const archive = openArchive(bytes, 'odt')
  refuseEncrypted(archive)
  if (!archive.names.includes('content.xml'))
    throw new UnreadableDocument('damaged', 'The OpenDocument text is damaged and cannot be read.')
  const hidden = new Set<string>()
  const context: OdtContext = { hidden, notes: [] }
  archive.elements('styles.xml', ['style'], (style) => noteHidden(style, hidden))
  const writer = writeText(builder)
  archive.elements('content.xml', blockNames, (block) => {
    if (block.name === 'style') noteHidden(block, hidden)
    else writeBlock(block, context, writer)
  })
  for (const note of context.notes) writer.paragraph(note)
  const written = new Set<string>()
  archive.elements('styles.xml', ['header', 'footer'], (margin) => {
    const text = descendants(margin, 'p')
      .map((paragraph) => inlineText(paragraph, context))
      .join('\n')
    if (!written.has(text) && /\p{L}{2}/u.test(text)) writer.paragraph(text)
    written.add(text)
  })
  return builder.finish()
}

function refuseEncrypted(archive: Archive): void {
  if (descendants(archive.tree('META-INF/manifest.xml'), 'encryption-data').length > 0)
    throw new UnreadableDocument('encrypted', 'The OpenDocument text has a password. Remove it and upload it again.')
}

function noteHidden(style: MarkupElement, hidden: Set<string>): void {
  const text = child(style, 'text-properties')
  const background = (properties: MarkupElement | undefined) =>
    properties && !/^(?:transparent|#ffffff)$/i.test(attribute(properties, 'background-color') ?? 'transparent')
  if (!text) return
  const isWhite =
    /^#ffffff$/i.test(attribute(text, 'color') ?? '') &&
    !background(text) &&
    !background(child(style, 'paragraph-properties'))
  const size = /^([\d.]+)pt$/.exec(attribute(text, 'font-size') ?? '')?.[1]
  if (attribute(text, 'display') === 'none' || isWhite || (size !== undefined && Number(size) <= 1))
    hidden.add(attribute(style, 'name') ?? '')
}

const isHidden = (element: MarkupElement, { hidden }: OdtContext): boolean =>
  hidden.has(attribute(element, 'style-name') ?? '\0') ||
  attribute(element, 'display') === 'none' ||
  /^hidden-/.test(element.name)

function writeBlock(block: MarkupElement, context: OdtContext, writer: BlockWriter, depth = 0): void {
  if (isHidden(block, context)) return
  const { name } = block
  if (name === 'h') writer.heading(inlineText(block, context), Number(attribute(block, 'outline-level') ?? 1))
  else if (name === 'p') writer.paragraph(inlineText(block, context))
  else if (name === 'list') writeList(block, context, writer, depth)
  else if (name === 'table') writer.lines(odtTable(block, context))
  else if (!/^(?:tracked-changes|forms|sequence-decls)$/.test(name))
    for (const node of block.children) if (isElement(node)) writeBlock(node, context, writer, depth)
}

function writeList(list: MarkupElement, context: OdtContext, writer: BlockWriter, depth: number): void {
  for (const item of list.children) {
    if (!isElement(item) || !/^list-(?:item|header)$/.test(item.name)) continue
    let isFirst = true
    for (const node of item.children) {
      if (!isElement(node) || isHidden(node, context)) continue
      if (node.name === 'p' && isFirst) writer.item(inlineText(node, context), depth)
      else writeBlock(node, context, writer, depth + 1)
      isFirst = false
    }
  }
}

const maxRepeated = 100

function odtTable(table: MarkupElement, context: OdtContext): string {
  const header = childrenNamed(child(table, 'table-header-rows'), 'table-row').length
  const rows = rowsOf(table).map((row) =>
    row.children.flatMap((cell) => {
      if (!isElement(cell) || !/^(?:covered-)?table-cell$/.test(cell.name)) return []
      const text = cell.children
        .map((node) => (isElement(node) ? blockText(node, context) : ''))
        .filter((each) => each !== '')
        .join(' ')
      const repeated = Math.min(maxRepeated, Number(attribute(cell, 'number-columns-repeated')) || 1)
      return Array.from({ length: repeated }, () => text)
    }),
  )
  return tableText({ rows, ...(header > 0 ? { headerRows: header } : {}) })
}

const rowsOf = (table: MarkupElement): MarkupElement[] =>
  table.children.flatMap((node) => {
    if (!isElement(node)) return []
    if (node.name === 'table-row') return attribute(node, 'visibility') === 'collapse' ? [] : [node]
    return /^table-(?:header-rows|rows|row-group)$/.test(node.name) ? rowsOf(node) : []
  })

function blockText(block: MarkupElement, context: OdtContext): string {
  if (isHidden(block, context)) return ''
  if (block.name === 'table') return odtTable(block, context)
  if (block.name === 'p' || block.name === 'h') return inlineText(block, context)
  return block.children
    .map((node) => (isElement(node) ? blockText(node, context) : ''))
    .filter(Boolean)
    .join(' ')
}

function inlineText(element: MarkupElement, context: OdtContext): string {
  let text = ''
  const boxes: string[] = []
  const visit = (node: MarkupNode) => {
    if (!isElement(node)) {
      text += node.replace(/\s+/g, ' ')
      return
    }
    if (isHidden(node, context)) return
    switch (node.name) {
      case 's':
        text += ' '.repeat(Math.min(100, Number(attribute(node, 'c')) || 1))
        return
      case 'tab':
        text += '\t'
        return
      case 'line-break':
        text += '\n'
        return
      case 'note':
        context.notes.push(blockText(child(node, 'note-body') ?? node, context))
        return
      case 'annotation': {
        const author = textOf(child(node, 'creator'))
        const body = descendants(node, 'p')
          .map((paragraph) => inlineText(paragraph, context))
          .join(' ')
        context.notes.push(author ? `${author}: ${body}` : body)
        return
      }
      case 'text-box':
        boxes.push(blockText(node, context))
        return
      case 'tracked-changes':
      case 'ruby-text':
      case 'title':
      case 'desc':
        return
      default:
        node.children.forEach(visit)
    }
  }
  if (!isHidden(element, context)) element.children.forEach(visit)
  return [text.trim(), ...boxes].filter((part) => part !== '').join('\n')
}
