import { type LayoutBlock, LiteParse, type LiteParseConfig, type ParsedPage } from '@llamaindex/liteparse'
import { cleanText, joinBrokenWords } from './clean-text.ts'
import { UnreadableDocument } from './document.ts'
import { isGibberish } from './gibberish.ts'
import { withoutHiddenText } from './hidden-pdf-text.ts'
import { isIndic, joinSyllables } from './join-syllables.ts'
import { mergeOverlapping } from './overlapping-blocks.ts'
import { createHeadingCheck, type IsHeading } from './pdf-headings.ts'
import type { PdfReading } from './pdf-reading.ts'
import { drawsAllBold, graphicsOf, withRegularWeights } from './pdf-weights.ts'
import { readGlyphs } from './read-glyphs.ts'
import { type Recognition, recognitionConfig } from './recognition.ts'
import { hasRightToLeft, isRightToLeft } from './right-to-left.ts'
import { createRunningLineFilter } from './running-lines.ts'
import type { TextBuilder } from './text-builder.ts'
import { turnLines } from './turn-lines.ts'
import { turnPage } from './turn-page.ts'
import { isStacked, unrepeatedPage } from './unrepeated-page.ts'
import { linesOf, visualLines } from './visual-lines.ts'

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
  const withoutRunningLines = createRunningLineFilter()
  for (let first = 1, total = 1; first <= total; first += pagesAtATime) {
    const last = first === 1 ? pagesAtATime : Math.min(total, first + pagesAtATime - 1)
    const result = await parsePages(bytes, `${first}-${last}`)
    total = result.totalPages
    const read: ParsedPage[] = []
    for (const page of await withoutHiddenText(result.pages, bytes, renderer)) {
      const recognized = recognize && needsRecognition(page) && (await recognize(page, page.pageNum / total))
      read.push(recognized && !isComplete(page, recognized) ? recognized : await turn(page))
    }
    const pages = withoutRunningLines(read)
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

/** Some fonts are drawn so heavily that all text seems bold, and lines of it headings. Such pages are laid out again. */
async function parsePages(bytes: Buffer, targetPages: string) {
  const result = await parse(bytes, { targetPages })
  if (!drawsAllBold(result.pages)) return result
  const { pages: drawn } = await parse(bytes, { targetPages, extractVectorGraphics: true })
  const graphics = new Map(drawn.map((page) => [page.pageNum, graphicsOf(page.vectorGraphics)]))
  return { ...result, pages: withRegularWeights(result.pages, graphics, renderer) }
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

/** The file is opened a second time only if it has pages in a script of which the native reader alone makes mistakes. */
function createTurner(bytes: Buffer) {
  const open = async () => (await import('unpdf')).getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 })
  let opening: ReturnType<typeof open> | undefined
  return async (page: ParsedPage): Promise<ParsedPage> => {
    const text = page.textItems.map((item) => item.text).join(' ')
    const isTurned = isRightToLeft(text)
    const correct = correctionFor(text)
    if (!isTurned && !correct) return page
    try {
      opening ??= open()
      const drawn = await (await opening).getPage(page.pageNum)
      const glyphs = await readGlyphs(drawn)
      drawn.cleanup()
      const { pages } = await parse(bytes, { targetPages: `${page.pageNum}`, extractVectorGraphics: true })
      const graphics = pages[0]?.vectorGraphics
      if (isTurned || !correct) return turnPage(page, { glyphs, graphics }, renderer)
      return correct(page, { glyphs, graphics: graphicsOf(graphics) }, renderer)
    } catch (error) {
      process.stderr.write(`Page ${page.pageNum} is left as it is: ${error instanceof Error ? error.message : error}\n`)
      return page
    }
  }
}

function correctionFor(text: string) {
  if (isIndic(text)) return joinSyllables
  if (isStacked(text)) return unrepeatedPage
  return hasRightToLeft(text) ? turnLines : undefined
}

/** What a scanner may print on each page beside the picture of it. */
const stampLength = 60

const textOf = ({ textItems }: ParsedPage): string => textItems.map((item) => item.text.trim()).join(' ')

function needsRecognition(page: ParsedPage): boolean {
  const text = textOf(page)
  return text.length <= stampLength || isGibberish(text)
}

/** Whether recognition found no more than a short page says itself. */
function isComplete(page: ParsedPage, recognized: ParsedPage): boolean {
  const text = textOf(page)
  return !isGibberish(text) && lettersIn(textOf(recognized)) <= lettersIn(text)
}

const lettersIn = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0

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
  const blocks = titlesFirst(mergeOverlapping(page)).map((block) => ({ ...block, plain: blockText(block, page) }))
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
  // Each bold line is marked for itself: a hyphen before two marks is at the end of a line.
  const joined = joinBrokenWords(markdown.replace(/-(\*{1,3}) \1(?=\S)/g, '-\n')).replaceAll('\n', ' ')
  return joinIdeographs(
    joined.replace(/(?<!\\)(\*{1,3})(?=\S)([^*]*[^\s*\\])\1/g, '$2').replace(/\\([\\`*_{}[\]()#+\-.!|<>~$])/g, '$1'),
  ).trim()
}

/** Chinese and Japanese have no space between words, and so none at the end of a line. */
const joinIdeographs = (text: string): string => cleanText(text).replace(betweenIdeographs, '')
const ideograph = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー、。，：；！？）」』]'
const betweenIdeographs = new RegExp(`(?<=${ideograph}) (?=${ideograph})`, 'gu')

function tableText(table: LayoutBlock, page: ParsedPage): string {
  const rows = [table.header ?? [], ...(table.rows ?? [])].filter((row) => row.length > 0)
  if (!isRuled(rows)) {
    const lines = table.bbox && linesOf(visualLines(table.bbox, page))
    if (lines) return joinBrokenWords(lines)
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
