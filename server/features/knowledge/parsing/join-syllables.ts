import type { Graphic, LiteParse, ParsedPage, TextItem } from '@llamaindex/liteparse'
import { isMostly, layOutAgain } from './lay-out-again.ts'
import type { Glyphs } from './right-to-left.ts'
import { visualLines } from './visual-lines.ts'

const scripts = ['Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam']
const indic = new RegExp(`[${scripts.map((script) => `\\p{Script=${script}}`).join('')}]`, 'gu')

/** Whether most letters of a text belong to a script of India. */
export const isIndic = (text: string): boolean => isMostly(text, indic)

/**
 * The native reader leaves the vowel sign after a letter out of its width, takes the rest for a gap, and cuts words into
 * syllables. The second reader knows where blanks are, but not all letters. So syllables without a blank between them
 * are joined, and the page is laid out again.
 */
export function joinSyllables(
  page: ParsedPage,
  { glyphs, graphics }: { glyphs: Glyphs[]; graphics: Graphic[] },
  layout: Pick<LiteParse, 'parsePages'>,
): ParsedPage {
  const blanks = glyphs.filter(({ text, width }) => /\s/.test(text) && width > 0)
  const lines = visualLines({ x: 0, y: 0, width: page.width, height: page.height }, { textItems: syllablesOf(page) })
  const textItems = lines.flatMap((line) => joinLine(line, blanks))
  return layOutAgain(page, { textItems, graphics }, layout)
}

/** Narrow gaps are blanks within an item. */
const syllablesOf = ({ textItems }: ParsedPage): TextItem[] =>
  textItems.flatMap((item) => {
    const { words = [] } = item
    return words.length > 1 ? words.map((word) => ({ ...item, ...word, words: [] })) : [item]
  })

/** In heights of the letters: farther apart are columns and cells. */
const widestGap = 1

function joinLine(line: TextItem[], blanks: Glyphs[]): TextItem[] {
  const joined: TextItem[] = []
  for (const item of line) {
    const before = joined.at(-1)
    if (!before || !isOneWord(before, item, blanks)) {
      joined.push(item)
      continue
    }
    const [top, bottom] = [Math.min(before.y, item.y), Math.max(before.y + before.height, item.y + item.height)]
    joined[joined.length - 1] = {
      ...before,
      text: before.text + item.text,
      y: top,
      height: bottom - top,
      width: item.x + item.width - before.x,
      words: [],
    }
  }
  return joined
}

/** In points. Positions are rounded. */
const slack = 0.5

function isOneWord(a: TextItem, b: TextItem, blanks: Glyphs[]): boolean {
  const [from, to] = [a.x + a.width, b.x]
  if (/\s$/.test(a.text) || /^\s/.test(b.text)) return false
  if (to - from > widestGap * (b.fontHeight ?? b.height)) return false
  return !blanks.some(
    ({ x, width, baseline }) =>
      x < to - slack &&
      x + width > from + slack &&
      baseline > Math.min(a.y, b.y) &&
      baseline < Math.max(a.y + a.height, b.y + b.height) + slack,
  )
}
