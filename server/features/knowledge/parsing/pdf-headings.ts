import type { LayoutBlock, ParsedPage, TextItem } from '@llamaindex/liteparse'

export type IsHeading = (block: LayoutBlock, page: ParsedPage) => boolean

/** On fewer pages a repeated line may be the heading of a form that comes several times. */
const leastPages = 3

/** Letters that differ this much from those of most of the text are seen as larger or bold. */
const largerBy = 1.08
const heavierBy = 1.1

/** The reader's guess is by size and place alone. Lines that several pages repeat, half-sentences and plain lines are no headings. */
export function createHeadingCheck(pages: ParsedPage[]): IsHeading {
  const repeated = repeatedLines(pages)
  const common = commonLooks(pages)
  return (block, page) => {
    const text = (block.text ?? '').trim()
    if (repeated.has(placeOf(block)) || isHalfSentence(text)) return false
    const items = page.textItems.filter((item) => isInside(item, block))
    return items.length === 0 || !common || items.some((item) => standsOut(item, common)) || isUpperCase(text)
  }
}

/** Begins in lower case, ends in the middle of a sentence, or is a whole sentence. */
function isHalfSentence(text: string): boolean {
  if (/^\p{Ll}/u.test(text) && !/^(?:i|e)[A-Z]/.test(text)) return true
  if (/[,;،؛、，]$/u.test(text) || goesOn.test(text)) return true
  return /[.。।]$/u.test(text) && text.split(/\s+/).length > 8
}

const goesOn = /\s(?:and|or|of|the|to|a|an|in|for|with|und|oder|der|die|das|y|o|de|la|el|et|ou|le|les|e|da|do|di)$/i

function repeatedLines(pages: ParsedPage[]): Set<string> {
  const counts = new Map<string, number>()
  for (const { blocks = [] } of pages)
    for (const place of new Set(blocks.map(placeOf))) counts.set(place, (counts.get(place) ?? 0) + 1)
  return new Set([...counts].filter(([, count]) => count >= leastPages).map(([place]) => place))
}

/** The same words at the same height of the page, whatever its number. */
const placeOf = ({ text = '', bbox }: LayoutBlock): string =>
  `${Math.round((bbox?.y ?? 0) / 4)} ${text.replace(/\p{N}+/gu, '#').trim()}`

export interface Looks {
  fontHeight: number
  fontWeight: number
}

/** Those of most letters. */
export function commonLooks(pages: ParsedPage[]): Looks | undefined {
  const found = new Map<string, Looks & { letters: number }>()
  for (const { textItems } of pages)
    for (const { fontHeight, fontWeight = 0, text } of textItems)
      if (fontHeight !== undefined) {
        const key = `${Math.round(fontHeight * 2)} ${fontWeight}`
        const known = found.get(key) ?? { fontHeight, fontWeight, letters: 0 }
        found.set(key, { ...known, letters: known.letters + text.length })
      }
  return [...found.values()].sort((a, b) => b.letters - a.letters)[0]
}

/** Weights are estimated from the drawn lines: those of a regular Arabic font count as bold in a Latin one. */
export const standsOut = (
  { fontHeight = 0, fontWeight = 0, fontName = '' }: TextItem,
  common: Looks | undefined,
): boolean =>
  common !== undefined &&
  (fontHeight >= common.fontHeight * largerBy ||
    fontWeight >= Math.max(600, common.fontWeight * heavierBy) ||
    /bold|black|heavy/i.test(fontName))

const isUpperCase = (text: string): boolean => /\p{Lu}{2}/u.test(text) && !/\p{Ll}/u.test(text)

export function isInside({ x, y, width, height }: TextItem, { bbox }: LayoutBlock): boolean {
  if (!bbox) return false
  const [middleX, middleY] = [x + width / 2, y + height / 2]
  return (
    middleX >= bbox.x - 1 &&
    middleX <= bbox.x + bbox.width + 1 &&
    middleY >= bbox.y - 1 &&
    middleY <= bbox.y + bbox.height + 1
  )
}
