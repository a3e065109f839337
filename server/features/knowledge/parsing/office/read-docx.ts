import { type Archive, openArchive, partOfType } from '../archive.ts'
import { type BlockWriter, writeText } from '../blocks.ts'
import { UnreadableDocument } from '../document.ts'
import { attribute, child, type MarkupElement } from '../markup/read-markup.ts'
import type { ExtractedText, TextBuilder } from '../text-builder.ts'
import { ancestry, outlineLevel, readWordStyles } from './word-styles.ts'
import { blocksText, listDepth, paragraphText, valOf, type WordContext, wordTable } from './word-text.ts'

/** The text, then its notes and comments in their order, then headers and footers, each different one once. */
export function readDocx(bytes: Buffer, builder: TextBuilder): ExtractedText {
  const archive = openArchive(bytes, 'docx')
  const main = partOfType(archive.relations(''), 'officeDocument') ?? 'word/document.xml'
  const relations = [...archive.relations(main).values()]
  const partsOf = (type: string) => relations.filter((relation) => relation.type === type).map(({ target }) => target)
  const context: WordContext = {
    styles: readWordStyles(archive, partsOf('styles')[0] ?? ''),
    references: { footnotes: [], endnotes: [], comments: [] },
    hasBackground: false,
  }
  const writer = writeText(builder)
  let isDocument = false
  archive.elements(main, ['background', 'p', 'tbl', 'sectPr'], (block) => {
    isDocument = true
    if (block.name === 'background')
      context.hasBackground = !/^(?:auto|FFFFFF)$/i.test(attribute(block, 'color') ?? 'auto')
    else if (block.name === 'tbl') writer.lines(wordTable(block, context))
    else if (block.name === 'p') writeParagraph(block, context, writer)
  })
  if (
    !isDocument &&
    !/<(?:\w+:)?document\b/.test((archive.bytes(main) ?? Buffer.alloc(0)).subarray(0, 4096).toString())
  )
    throw new UnreadableDocument('damaged', 'The Word document is damaged and cannot be read.')
  const { references } = context
  writeNotes(archive, partsOf('footnotes'), 'footnote', references.footnotes, context, writer)
  writeNotes(archive, partsOf('endnotes'), 'endnote', references.endnotes, context, writer)
  writeNotes(archive, partsOf('comments'), 'comment', references.comments, context, writer)
  writeMargins(archive, [...partsOf('header'), ...partsOf('footer')], context, writer)
  return builder.finish()
}

function writeParagraph(paragraph: MarkupElement, context: WordContext, writer: BlockWriter): void {
  const text = paragraphText(paragraph, context)
  const properties = child(paragraph, 'pPr')
  const style = valOf(child(properties, 'pStyle'))
  const level =
    outlineLevel(properties) ?? ancestry(context.styles, style).find(({ headingLevel }) => headingLevel)?.headingLevel
  const depth = listDepth(paragraph, context.styles)
  if (level) writer.heading(text, level)
  else if (depth !== undefined) writer.item(text, depth)
  else writer.paragraph(text)
}

function writeNotes(
  archive: Archive,
  parts: string[],
  name: string,
  references: string[],
  context: WordContext,
  writer: BlockWriter,
): void {
  const notes = new Map<string, string>()
  for (const part of references.length > 0 ? parts : [])
    archive.elements(part, [name], (note) => {
      // Lines that separate notes from the text are stored as notes too.
      if (/separator|continuationNotice/i.test(attribute(note, 'type') ?? '')) return
      const text = blocksText(note.children, context, ' ')
      const author = name === 'comment' ? attribute(note, 'author') : undefined
      notes.set(attribute(note, 'id') ?? '', author && text ? `${author}: ${text}` : text)
    })
  for (const id of new Set(references)) writer.paragraph(notes.get(id) ?? '')
}

/** A page number alone says nothing. */
function writeMargins(archive: Archive, parts: string[], context: WordContext, writer: BlockWriter): void {
  const written = new Set<string>()
  for (const part of parts) {
    const root = archive.tree(part)?.children.find((node) => typeof node !== 'string') as MarkupElement | undefined
    const text = root ? blocksText(root.children, context, '\n') : ''
    if (written.has(text) || !/\p{L}{2}/u.test(text)) continue
    written.add(text)
    writer.paragraph(text)
  }
}
