import type { ParsedPage, Rect, TextItem } from '@llamaindex/liteparse'
import { cleanText } from './clean-text.ts'

/**
 * The text of a part of a page, line by line. Wide gaps in justified lines look like columns; reading by line is right
 * for them and for tables without a grid.
 */
export function visualLines(bbox: Rect, { textItems }: Pick<ParsedPage, 'textItems'>): TextItem[][] {
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
  return lines.map((line) => line.toSorted((a, b) => a.x - b.x))
}

export const linesOf = (lines: TextItem[][]): string =>
  lines
    .map((line) => cleanText(line.map(({ text }) => text.trim()).join(' ')).trim())
    .filter((line) => line !== '')
    .join('\n')
