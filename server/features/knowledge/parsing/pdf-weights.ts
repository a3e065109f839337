import type { Graphic, LiteParse, ParsedPage, VectorGraphics } from '@llamaindex/liteparse'
import { commonLooks } from './pdf-headings.ts'

/** The native reader takes letters of this weight for bold. It estimates weights from the drawn lines. */
const bold = 600
const regular = 400
/** What is drawn this much more heavily than most of the text is bold. */
const heavierBy = 1.1

/** Whether most of the text has the weight of bold letters. Noto Sans and Noto Serif do, printed by a browser. */
export function drawsAllBold(pages: ParsedPage[]): boolean {
  return (commonLooks(pages)?.fontWeight ?? 0) >= bold
}

/** The pages, laid out with weights relative to that of most of the text. */
export function withRegularWeights(
  pages: ParsedPage[],
  graphics: Map<number, Graphic[]>,
  layout: Pick<LiteParse, 'parsePages'>,
): ParsedPage[] {
  const common = commonLooks(pages)?.fontWeight ?? regular
  const weighted = pages.map((page) => ({
    ...page,
    textItems: page.textItems.map((item) => ({
      ...item,
      fontWeight: (item.fontWeight ?? 0) >= common * heavierBy ? 700 : regular,
    })),
  }))
  // All pages at once: the levels of headings depend on the sizes of all of them.
  const laidOut = layout.parsePages(
    weighted.map(({ pageNum, width, height, textItems }) => ({
      pageNumber: pageNum,
      pageWidth: width,
      pageHeight: height,
      textItems,
      graphics: graphics.get(pageNum) ?? [],
    })),
  )
  const blocks = new Map(laidOut.pages.map((page) => [page.pageNum, page.blocks ?? []]))
  return weighted.map((page) => ({ ...page, blocks: blocks.get(page.pageNum) ?? page.blocks ?? [] }))
}

/** What the layout needs of them: the lines of tables. */
export function graphicsOf({ shapes, lines }: VectorGraphics = { shapes: [], lines: [] }): Graphic[] {
  return [
    ...shapes.map(({ bbox, stroke, fill }): Graphic => ({ kind: 'rect', ...bbox, hasStroke: stroke, hasFill: fill })),
    ...lines.map(({ x1, y1, x2, y2 }): Graphic => ({ kind: 'stroke', x1, y1, x2, y2 })),
  ]
}
