import type { LayoutBlock, ParsedPage, TextItem } from '@llamaindex/liteparse'
import { pageNumberIn } from './page-number.ts'
import { commonLooks, isInside, type Looks, standsOut } from './pdf-headings.ts'
import { linesOf, visualLines } from './visual-lines.ts'

/** On fewer pages a repeated line may be the title of a form that comes several times. */
const leastPages = 3
/** Of all pages, or of all left or right ones: a cover and the first pages of chapters often have none. */
const leastShare = 2 / 3
/** Of the height of the page, at its top and at its bottom. */
const margin = 0.15
const maxCharacters = 200
/** A page with this many blocks is a drawing. */
const maxBlocks = 500

/** Takes the headers and footers that most pages repeat out of the pages of a document, which come in batches. */
export function createRunningLineFilter(): (pages: ParsedPage[]) => ParsedPage[] {
  const running = new Set<string>()
  const kept = new Set<string>()
  return (pages) => {
    const common = commonLooks(pages)
    const found = pages.map((page) => marginLines(page, common))
    for (const key of repeatedKeys(pages, found)) running.add(key)
    const filtered = pages.map((page, i) => withoutRunning(page, found[i] ?? [], { running, kept }))
    // Pages that say the same and nothing else are no headers.
    return filtered.some(({ blocks = [], textItems }) => blocks.length > 0 || textItems.length > 0) ? filtered : pages
  }
}

interface MarginLine {
  block: LayoutBlock
  edge: 'top' | 'bottom'
  /** One of them is the same on each page where the line is: as it is written, or with a page number left out. */
  keys: string[]
}

/** The blocks at the top and the bottom of a page, each from its edge inwards. */
function marginLines(page: ParsedPage, common: Looks | undefined): MarginLine[] {
  const { blocks = [], height } = page
  if (blocks.length > maxBlocks) return []
  return blocks
    .flatMap((block): MarginLine[] => {
      const edge = edgeOf(block, height)
      const text = edge && block.bbox ? linesOf(visualLines(block.bbox, page)).replaceAll('\n', ' ') : ''
      if (!edge || text === '' || text.length > maxCharacters) return []
      const isLarge = page.textItems.some((item) => isInside(item, block) && standsOut(item, common))
      const numbered = pageNumberIn(text, { page: page.pageNum, isLarge })
      return [{ block, edge, keys: [text, ...numbered].map((key) => `${edge} ${key}`) }]
    })
    .toSorted((a, b) => distance(a, height) - distance(b, height))
}

function edgeOf({ bbox }: LayoutBlock, pageHeight: number): MarginLine['edge'] | undefined {
  if (!bbox) return undefined
  if (bbox.y + bbox.height <= pageHeight * margin) return 'top'
  return bbox.y >= pageHeight * (1 - margin) ? 'bottom' : undefined
}

const distance = ({ block: { bbox }, edge }: MarginLine, pageHeight: number): number =>
  bbox ? (edge === 'top' ? bbox.y : pageHeight - bbox.y - bbox.height) : 0

function repeatedKeys(pages: ParsedPage[], found: MarginLine[][]): string[] {
  const isOdd = (number: number) => number % 2 === 1
  const sides = [pages, pages.filter(({ pageNum }) => isOdd(pageNum)), pages.filter(({ pageNum }) => !isOdd(pageNum))]
  return sides.flatMap((side) => {
    const counts = new Map<string, number>()
    for (const page of side)
      for (const key of new Set(found[pages.indexOf(page)]?.flatMap(({ keys }) => keys)))
        counts.set(key, (counts.get(key) ?? 0) + 1)
    return [...counts]
      .filter(([, count]) => count >= Math.max(leastPages, side.length * leastShare))
      .map(([key]) => key)
  })
}

const lineOf = (key: string): string => key.slice(key.indexOf(' ') + 1)

/** Phone numbers, addresses and opening hours are often nowhere else. The number of the page is none, nor is that of all. */
const hasFact = (line: string): boolean => /\p{N}|@|www\./iu.test(line.replace(/#-?\d+(?:\D{1,6}\d+)?/u, ''))

/** Only the outermost lines are removed: what stands between them and the text belongs to the text. */
function withoutRunning(
  page: ParsedPage,
  lines: MarginLine[],
  { running, kept }: { running: Set<string>; kept: Set<string> },
): ParsedPage {
  const removed = new Set<LayoutBlock>()
  const facts: LayoutBlock[] = []
  for (const edge of ['top', 'bottom'] as const)
    for (const { block, keys } of lines.filter((line) => line.edge === edge)) {
      const key = keys.findLast((each) => running.has(each))
      if (key === undefined) break
      removed.add(block)
      if (!hasFact(lineOf(key)) || kept.has(key)) continue
      kept.add(key)
      // After the text of the page, so that its first heading stays first.
      facts.push({ kind: 'paragraph', text: block.text ?? lineOf(key) })
    }
  if (removed.size === 0) return page
  const isRemoved = (item: TextItem) => [...removed].some((block) => isInside(item, block))
  return {
    ...page,
    textItems: page.textItems.filter((item) => !isRemoved(item)),
    blocks: [...(page.blocks ?? []).filter((block) => !removed.has(block)), ...facts],
  }
}
