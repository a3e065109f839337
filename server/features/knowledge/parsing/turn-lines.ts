import type { Graphic, LiteParse, ParsedPage, TextItem } from '@llamaindex/liteparse'
import { layOutAgain } from './lay-out-again.ts'
import { type Glyphs, isRightToLeft, segmentsOf } from './right-to-left.ts'
import { itemFromRight } from './turn-page.ts'
import { withLettersOf } from './words-from-glyphs.ts'

/** For a page that is read from the left, such as a notice in two languages: its lines from the right, where they are. */
export function turnLines(
  page: ParsedPage,
  { glyphs, graphics }: { glyphs: Glyphs[]; graphics: Graphic[] },
  layout: Pick<LiteParse, 'parsePages'>,
): ParsedPage {
  const turned: TextItem[] = []
  const replaced = new Set<TextItem>()
  for (const segment of segmentsOf(withLettersOf(page.textItems, glyphs))) {
    if (!isRightToLeft(segment.map(({ text }) => text).join(''))) continue
    const item = itemFromRight(segment, page.textItems)
    if (!item) continue
    turned.push(item)
    for (const each of page.textItems) if (standsIn(each, segment, item)) replaced.add(each)
  }
  if (turned.length === 0) return page
  const textItems = [...page.textItems.filter((item) => !replaced.has(item)), ...turned]
  return layOutAgain(page, { textItems, graphics }, layout)
}

function standsIn(item: TextItem, segment: Glyphs[], { x, width }: TextItem): boolean {
  const [middleX, middleY] = [item.x + item.width / 2, item.y + item.height / 2]
  const { baseline, height } = segment[0] as Glyphs
  return middleX > x && middleX < x + width && middleY > baseline - height && middleY < baseline + height / 2
}
