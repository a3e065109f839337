import type { Graphic, LiteParse, ParsedPage, TextItem } from '@llamaindex/liteparse'

/** The page with other pieces of text, and the blocks that they form. */
export function layOutAgain(
  page: ParsedPage,
  { textItems, graphics }: { textItems: TextItem[]; graphics: Graphic[] },
  layout: Pick<LiteParse, 'parsePages'>,
): ParsedPage {
  const { pageNum: pageNumber, width: pageWidth, height: pageHeight } = page
  const [laidOut] = layout.parsePages([{ pageNumber, pageWidth, pageHeight, textItems, graphics }]).pages
  return { ...page, textItems, blocks: laidOut?.blocks ?? [] }
}

/** Whether the pattern, which has the flag `g`, matches at least 40 % of the letters. */
export function isMostly(text: string, pattern: RegExp): boolean {
  const count = text.match(pattern)?.length ?? 0
  return count > 0 && count >= (text.match(/[\p{L}\p{M}]/gu)?.length ?? 0) * 0.4
}
