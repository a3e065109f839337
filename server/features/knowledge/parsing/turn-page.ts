import type { Graphic, LiteParse, ParsedPage, TextItem, VectorGraphics } from '@llamaindex/liteparse'
import { graphicsOf } from './pdf-weights.ts'
import { type Glyphs, readFromRight, segmentsOf } from './right-to-left.ts'
import { withLettersOf } from './words-from-glyphs.ts'

/**
 * The native reader orders lines, columns and cells from left to right, and leaves some Arabic words reversed. So the
 * text of a page that is read from right to left comes from its glyphs, and is laid out in a mirror.
 */
export function turnPage(
  page: ParsedPage,
  { glyphs, graphics }: { glyphs: Glyphs[]; graphics: VectorGraphics | undefined },
  layout: Pick<LiteParse, 'parsePages'>,
): ParsedPage {
  const { pageNum: pageNumber, width: pageWidth, height: pageHeight } = page
  const textItems = segmentsOf(withLettersOf(page.textItems, glyphs)).flatMap((segment): TextItem[] => {
    const item = itemFromRight(segment, page.textItems)
    return item ? [{ ...item, x: pageWidth - item.x - item.width }] : []
  })
  const mirrored = { textItems, graphics: graphics ? inMirror(graphics, pageWidth) : [] }
  const [laidOut] = layout.parsePages([{ pageNumber, pageWidth, pageHeight, ...mirrored }]).pages
  return { ...page, textItems, blocks: laidOut?.blocks ?? [] }
}

/** A part of a line as it is read; undefined for what the page no longer has, because it was hidden. */
export function itemFromRight(segment: Glyphs[], items: TextItem[]): TextItem | undefined {
  const looks = itemOf(segment, items)
  if (!looks) return undefined
  const x = Math.min(...segment.map((glyph) => glyph.x))
  const width = Math.max(...segment.map((glyph) => glyph.x + glyph.width)) - x
  return { ...looks, text: readFromRight(segment), x, width, words: [] }
}

/** The item of the native reader in which most glyphs of a segment stand. */
export function itemOf(segment: Glyphs[], items: TextItem[]): TextItem | undefined {
  const votes = new Map<TextItem, number>()
  for (const { x, width, baseline, height } of segment) {
    const [middleX, middleY] = [x + width / 2, baseline - height / 3]
    const item = items.find(
      (each) =>
        middleX >= each.x - 1 &&
        middleX <= each.x + each.width + 1 &&
        middleY >= each.y - 1 &&
        middleY <= each.y + each.height + 1,
    )
    if (item) votes.set(item, (votes.get(item) ?? 0) + 1)
  }
  const [best] = [...votes].sort(([, a], [, b]) => b - a)
  return best && best[1] >= segment.length / 2 ? best[0] : [...votes.keys()][0]
}

/** The lines of tables. */
function inMirror(graphics: VectorGraphics, pageWidth: number): Graphic[] {
  return graphicsOf(graphics).map((graphic) => {
    const { x, width, x1, x2 } = graphic
    if (x !== undefined && width !== undefined) return { ...graphic, x: pageWidth - x - width }
    return { ...graphic, x1: pageWidth - (x1 ?? 0), x2: pageWidth - (x2 ?? 0) }
  })
}
