import type { Graphic, LiteParse, ParsedPage, TextItem } from '@llamaindex/liteparse'
import { isMostly, layOutAgain } from './lay-out-again.ts'
import { type Glyphs, segmentsOf } from './right-to-left.ts'
import { itemOf } from './turn-page.ts'

const letters = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu
const count = (text: string): number => text.match(letters)?.length ?? 0

/** Whether most letters of a text belong to a script that sets signs above and below its letters and has no spaces. */
export const isStacked = (text: string): boolean => isMostly(text, letters)

/**
 * The native reader repeats syllables of Thai whose signs were drawn one by one. Where it has more letters than were
 * drawn, the glyphs of the second reader are laid out instead.
 */
export function unrepeatedPage(
  page: ParsedPage,
  { glyphs, graphics }: { glyphs: Glyphs[]; graphics: Graphic[] },
  layout: Pick<LiteParse, 'parsePages'>,
): ParsedPage {
  const drawn = count(glyphs.map(({ text }) => text).join(''))
  if (count(page.textItems.map(({ text }) => text).join('')) <= drawn) return page
  const textItems = segmentsOf(glyphs).flatMap((segment): TextItem[] => {
    const looks = itemOf(segment, page.textItems)
    // What the page no longer has was hidden.
    if (!looks) return []
    const x = Math.min(...segment.map((glyph) => glyph.x))
    const width = Math.max(...segment.map((glyph) => glyph.x + glyph.width)) - x
    return [{ ...looks, text: segment.map(({ text }) => text).join(''), x, width, words: [] }]
  })
  return layOutAgain(page, { textItems, graphics }, layout)
}
