import { type Archive, openArchive, partOfType, relationId } from '../archive.ts'
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
import type { ExtractedText, TextBuilder } from '../text-builder.ts'

/** Slides in their order, each a page under its title, with its notes. Hidden slides and shapes are left out. */
export function readPptx(bytes: Buffer, builder: TextBuilder): ExtractedText {
  const archive = openArchive(bytes, 'pptx')
  const main = partOfType(archive.relations(''), 'officeDocument') ?? 'ppt/presentation.xml'
  const presentation = child(archive.tree(main), 'presentation')
  if (!presentation)
    throw new UnreadableDocument('damaged', 'The PowerPoint presentation is damaged and cannot be read.')
  const relations = archive.relations(main)
  const ids = childrenNamed(child(presentation, 'sldIdLst'), 'sldId').map(relationId)
  for (const [i, id] of ids.entries()) {
    const part = relations.get(id)?.target
    const slide = part ? child(archive.tree(part), 'sld') : undefined
    if (!part || !slide || /^(?:0|false)$/.test(attribute(slide, 'show') ?? '')) continue
    builder.startPage(i + 1)
    writeSlide(archive, part, slide, writeText(builder))
  }
  return builder.finish()
}

function writeSlide(archive: Archive, part: string, slide: MarkupElement, writer: BlockWriter): void {
  const relations = archive.relations(part)
  const shapes = shapesOf(child(child(slide, 'cSld'), 'spTree'))
  const isTitle = (shape: MarkupElement) => /^(?:title|ctrTitle)$/.test(placeholderOf(shape) ?? '')
  for (const shape of shapes.filter(isTitle)) {
    const title = paragraphsOf(shape)
      .map(({ text }) => text)
      .join(' ')
    if (title.trim()) writer.heading(title, 1)
  }
  for (const shape of shapes) if (!isTitle(shape)) writeShape(archive, shape, relations, writer)
  const notes = partOfType(relations, 'notesSlide')
  const notesTree = notes ? child(child(archive.tree(notes), 'notes'), 'cSld') : undefined
  for (const shape of shapesOf(child(notesTree, 'spTree')))
    if (placeholderOf(shape) === 'body') for (const { text } of paragraphsOf(shape)) writer.paragraph(text)
}

/** Shapes in groups too, but none that is hidden. */
function shapesOf(tree: MarkupElement | undefined): MarkupElement[] {
  return (tree?.children ?? []).flatMap((node) => {
    if (!isElement(node) || node.name === 'Fallback') return []
    const own = node.children.find((each): each is MarkupElement => isElement(each) && /^nv\w*Pr$/.test(each.name))
    const properties = child(own, 'cNvPr')
    if (properties && /^(?:1|true)$/.test(attribute(properties, 'hidden') ?? '')) return []
    if (/^(?:sp|graphicFrame|cxnSp)$/.test(node.name)) return [node]
    return shapesOf(node)
  })
}

/** What a shape is for: `title`, `body`, …; nothing for free shapes. */
function placeholderOf(shape: MarkupElement): string | undefined {
  const holder = descendants(child(shape, 'nvSpPr'), 'ph')[0]
  return holder && (attribute(holder, 'type') ?? 'body')
}

function writeShape(
  archive: Archive,
  shape: MarkupElement,
  relations: ReturnType<Archive['relations']>,
  writer: BlockWriter,
): void {
  const placeholder = placeholderOf(shape)
  // Page number, date and footer are the same on every slide.
  if (placeholder && /^(?:sldNum|dt|ftr|hdr)$/.test(placeholder)) return
  const table = descendants(shape, 'tbl')[0]
  if (table) {
    writeTable(table, writer)
    return
  }
  const diagram = descendants(shape, 'relIds')[0]
  if (diagram) {
    const data = relations.get(Object.entries(diagram.attributes).find(([key]) => key.endsWith(':dm'))?.[1] ?? '')
    archive.elements(data?.target ?? '', ['t'], (text) => {
      for (const { text: line } of paragraphsOf(text)) writer.item(line, 0)
    })
    return
  }
  for (const { text, depth, isBody } of paragraphsOf(shape))
    if (placeholder === 'body' && isBody) writer.item(text, depth)
    else writer.paragraph(text)
}

function writeTable(table: MarkupElement, writer: BlockWriter): void {
  const properties = child(table, 'tblPr')
  const rows = childrenNamed(table, 'tr').map((row) =>
    childrenNamed(row, 'tc').map((cell) =>
      paragraphsOf(cell)
        .map(({ text }) => text)
        .join(' '),
    ),
  )
  const hasHeader = properties !== undefined && attribute(properties, 'firstRow') === '1'
  writer.table({ rows, ...(hasHeader ? { headerRows: 1 } : {}) })
}

interface SlideParagraph {
  text: string
  depth: number
  /** With a bullet, unless the slide turns it off. */
  isBody: boolean
}

function paragraphsOf(shape: MarkupElement): SlideParagraph[] {
  return descendants(shape, 'p')
    .map((paragraph) => {
      const properties = child(paragraph, 'pPr')
      return {
        text: runsText(paragraph.children).trim(),
        depth: Number((properties && attribute(properties, 'lvl')) ?? 0),
        isBody: child(properties, 'buNone') === undefined,
      }
    })
    .filter(({ text }) => text !== '')
}

function runsText(nodes: MarkupNode[]): string {
  let text = ''
  for (const node of nodes) {
    if (!isElement(node)) continue
    if (node.name === 'br') text += '\n'
    else if (node.name === 't') text += textOf(node)
    else if (/^(?:r|fld|AlternateContent|Choice|m|oMath|oMathPara)$/.test(node.name) && !isTiny(node))
      text += runsText(node.children)
  }
  return text
}

/** In hundredths of a point. */
const isTiny = (run: MarkupElement): boolean => Number(attribute(child(run, 'rPr') ?? run, 'sz') ?? 1800) <= 100
