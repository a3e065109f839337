import {
  type LayoutBlock,
  LiteParse,
  type LiteParseConfig,
  type ParsedPage,
  type TextItem,
} from '@llamaindex/liteparse'
import { cleanText } from './clean-text.ts'
import { UnreadableDocument } from './document.ts'
import { isGibberish } from './gibberish.ts'
import { withoutHiddenText } from './hidden-pdf-text.ts'
import { createHeadingCheck, type IsHeading } from './pdf-headings.ts'
import type { PdfReading } from './pdf-reading.ts'
import { readGlyphs } from './read-glyphs.ts'
import { type Recognition, recognitionConfig } from './recognition.ts'
import { isRightToLeft } from './right-to-left.ts'
import type { TextBuilder } from './text-builder.ts'
import { turnPage } from './turn-page.ts'

/** Pages per call: bounds the memory that glyphs take in transit, and gives progress. */
const pagesAtATime = 64

const config: Partial<LiteParseConfig> = {
  // The default mode interleaves the lines of two columns.
  outputFormat: 'markdown',
  extractBlocks: true,
  // Colors and sizes, which tell hidden text.
  extractTextMetadata: true,
  ocrEnabled: false,
  imageMode: 'off',
  extractLinks: false,
  keepHeadersFooters: true,
  continueOnPageError: true,
  maxPages: 1_000_000,
  quiet: true,
}

/** One pixel per point. */
const renderer = new LiteParse({ ...config, dpi: 72 })

export async function readPdf(bytes: Buffer, reading: PdfReading): Promise<TextBuilder> {
  const { builder, onProgress } = reading
  const recognize = createRecognizer(bytes, reading)
  const turn = createTurner(bytes)
  for (let first = 1, total = 1; first <= total; first += pagesAtATime) {
    const last = first === 1 ? pagesAtATime : Math.min(total, first + pagesAtATime - 1)
    const result = await parse(bytes, { targetPages: `${first}-${last}` })
    total = result.totalPages
    const pages: ParsedPage[] = []
    for (const page of await withoutHiddenText(result.pages, bytes, renderer))
      pages.push(recognize && needsRecognition(page) ? await recognize(page, page.pageNum / total) : await turn(page))
    const isHeading = createHeadingCheck(pages)
    for (const page of pages) {
      builder.startPage(page.pageNum)
      writePage(page, builder, isHeading)
    }
    if (total > 0) onProgress(Math.min(last, total) / total)
  }
  return builder
}

/** The text of an image, or of each page of one. */
export async function readImage(
  bytes: Buffer,
  { builder, recognition, onRecognizing, onProgress }: PdfReading & { recognition: Recognition },
): Promise<TextBuilder> {
  onRecognizing?.()
  try {
    const { pages } = await parse(bytes, recognitionConfig(recognition))
    for (const page of pages) writePage(page, builder)
  } catch (error) {
    if (error instanceof UnreadableDocument) throw error
    throw new UnreadableDocument('damaged', 'The picture is damaged or was not uploaded completely.', error)
  }
  onProgress(1)
  return builder
}

/** Pages are recognized one by one, because each takes seconds and reports progress. */
function createRecognizer(bytes: Buffer, { recognition, onRecognizing, onProgress }: PdfReading) {
  if (!recognition) return undefined
  let isFirst = true
  return async (page: ParsedPage, share: number): Promise<ParsedPage> => {
    if (isFirst) onRecognizing?.()
    isFirst = false
    const targetPages = `${page.pageNum}`
    const { pages } = await parse(bytes, { ...recognitionConfig(recognition), targetPages })
    onProgress(share)
    const [recognized] = await withoutHiddenText(pages, bytes, renderer)
    return recognized ?? page
  }
}

/** The file is opened a second time only if it has pages that are read from right to left. */
function createTurner(bytes: Buffer) {
  const open = async () => (await import('unpdf')).getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 })
  let opening: ReturnType<typeof open> | undefined
  return async (page: ParsedPage): Promise<ParsedPage> => {
    if (!isRightToLeft(page.textItems.map(({ text }) => text).join(' '))) return page
    try {
      opening ??= open()
      const drawn = await (await opening).getPage(page.pageNum)
      const glyphs = await readGlyphs(drawn)
      drawn.cleanup()
      const { pages } = await parse(bytes, { targetPages: `${page.pageNum}`, extractVectorGraphics: true })
      return turnPage(page, { glyphs, graphics: pages[0]?.vectorGraphics }, renderer)
    } catch (error) {
      process.stderr.write(`Page ${page.pageNum} is not turned: ${error instanceof Error ? error.message : error}\n`)
      return page
    }
  }
}

/** What a scanner may print on each page beside the picture of it. */
const stampLength = 60

function needsRecognition({ textItems }: ParsedPage): boolean {
  const text = textItems.map((item) => item.text.trim()).join(' ')
  return text.length <= stampLength || isGibberish(text)
}

async function parse(bytes: Buffer, more: Partial<LiteParseConfig>) {
  try {
    return await new LiteParse({ ...config, ...more }).parse(bytes)
  } catch (error) {
    if (/password|security|encrypt/i.test(String(error)))
      throw new UnreadableDocument(
        'encrypted',
        'The PDF needs a password to open. Remove it and upload it again.',
        error,
      )
    throw error
  }
}

function writePage(page: ParsedPage, builder: TextBuilder, isHeading?: IsHeading): void {
  const blocks = titlesFirst(page.blocks ?? []).map((block) => ({ ...block, plain: blockText(block, page) }))
  // A rotated page has no blocks, but it has words.
  if (blocks.every(({ plain }) => plain === '')) builder.add(linesOf(page.textItems.map((item) => [item])))
  // The size of recognized letters is a guess, too rough to tell headings.
  const isRecognized = page.textItems.some(({ confidence }) => confidence !== undefined)
  let inList = false
  for (const block of blocks) {
    const { kind, level, plain } = block
    const isItem = kind === 'list_item'
    if (kind === 'heading' && !isRecognized && isHeading?.(block, page)) builder.addHeading(plain, level ?? 1)
    else builder.add(plain, inList && isItem ? '\n' : '\n\n')
    inList = isItem
  }
}

/** A page with this many blocks is a drawing without a reading order. */
const maxOrderedBlocks = 500

/** Titles above two columns are found between them: a block goes before all blocks that it stands directly above. */
function titlesFirst(blocks: LayoutBlock[]): LayoutBlock[] {
  if (blocks.length > maxOrderedBlocks) return blocks
  const ordered: LayoutBlock[] = []
  for (const block of blocks) {
    const { bbox: title } = block
    const isAbove = ({ bbox }: LayoutBlock) => bbox && title && title.y + title.height <= bbox.y
    const isInColumn = ({ bbox }: LayoutBlock) =>
      bbox && title && bbox.x < title.x + title.width && title.x < bbox.x + bbox.width
    const place = ordered.findLastIndex((earlier) => !isAbove(earlier)) + 1
    ordered.splice(ordered.slice(place).some(isInColumn) ? place : ordered.length, 0, block)
  }
  return ordered
}

function blockText(block: LayoutBlock, page: ParsedPage): string {
  switch (block.kind) {
    case 'heading':
      return cleanText(block.text ?? '').trim()
    case 'paragraph':
      return plain(block.text)
    case 'list_item': {
      const mark = block.ordered ? block.marker : '-'
      return `${'  '.repeat(block.level ?? 0)}${mark} ${plain(block.text)}`
    }
    case 'code':
    case 'grid_fallback':
      return cleanText((block.lines ?? []).join('\n')).trim()
    case 'table':
      return tableText(block, page)
    default:
      return ''
  }
}

/** The text comes as markdown: emphasis is removed, and escaped characters are restored. */
function plain(markdown = ''): string {
  return cleanText(
    markdown.replace(/(?<!\\)(\*{1,3})(?=\S)([^*]*[^\s*\\])\1/g, '$2').replace(/\\([\\`*_{}[\]()#+\-.!|<>~$])/g, '$1'),
  ).trim()
}

function tableText(table: LayoutBlock, page: ParsedPage): string {
  const rows = [table.header ?? [], ...(table.rows ?? [])].filter((row) => row.length > 0)
  if (!isRuled(rows)) {
    const lines = visualLines(table, page)
    if (lines) return lines
  }
  return rows.map((row) => row.map(({ text }) => plain(text)).join(' | ')).join('\n')
}

type Row = NonNullable<LayoutBlock['rows']>[number]

/** The cells of a drawn grid touch each other; without a grid they are only as wide as their words. */
function isRuled(rows: Row[]): boolean {
  return rows.some((row) =>
    row.some(({ bbox }, i) => {
      const next = row[i + 1]?.bbox
      return bbox && next && Math.abs(bbox.x + bbox.width - next.x) < 1
    }),
  )
}

/**
 * Wide gaps in justified lines look like columns. Reading line by line is right for them and for tables without a grid.
 */
function visualLines({ bbox }: LayoutBlock, { textItems }: ParsedPage): string | undefined {
  if (!bbox) return undefined
  const inside = textItems.filter(({ x, y, width, height }) => {
    const [middleX, middleY] = [x + width / 2, y + height / 2]
    return middleX >= bbox.x && middleX <= bbox.x + bbox.width && middleY >= bbox.y && middleY <= bbox.y + bbox.height
  })
  const lines: TextItem[][] = []
  for (const item of inside.toSorted((a, b) => a.y - b.y)) {
    const line = lines.at(-1)
    const first = line?.[0]
    if (line && first && item.y + item.height / 2 < first.y + first.height) line.push(item)
    else lines.push([item])
  }
  return linesOf(lines.map((line) => line.toSorted((a, b) => a.x - b.x)))
}

const linesOf = (lines: TextItem[][]): string =>
  lines
    .map((line) => cleanText(line.map(({ text }) => text.trim()).join(' ')).trim())
    .filter((line) => line !== '')
    .join('\n')
