/** What a PDF draws at one place: a glyph, or several that were drawn together. In points, from the top left. */
export interface Glyphs {
  text: string
  isRightToLeft: boolean
  x: number
  /** Of the line on which it stands. */
  baseline: number
  width: number
  height: number
}

const letters = '\\p{Script=Arabic}\\p{Script=Hebrew}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}'
const rightToLeft = new RegExp(`[${letters}]`, 'gu')

/** Whether most lines of a text begin at the right. */
export function isRightToLeft(text: string): boolean {
  const count = text.match(rightToLeft)?.length ?? 0
  return count > 0 && count >= (text.match(/\p{L}/gu)?.length ?? 0) * 0.4
}

/** Signs and single letters are no words. */
const fewLetters = 5

/** Whether a text has words that are read from the right. */
export const hasRightToLeft = (text: string): boolean => (text.match(rightToLeft)?.length ?? 0) >= fewLetters

/** Gaps that separate columns or cells, in heights of the letters: with a blank in it, and without one. */
const blankGap = 1.2
const emptyGap = 0.35
/** LibreOffice draws no space beside numbers. The widest of common fonts is 0.32 wide, and letters of a word stand closer together. */
const spaceGap = 0.2
/** Narrower blanks are not seen: pdf.js adds one wherever the pen moves back. */
const narrowestBlank = 0.05

/** The parts of each line that stand together: lines from the top, parts from the right, glyphs from the left. */
export function segmentsOf(glyphs: Glyphs[]): Glyphs[][] {
  const lines: Glyphs[][] = []
  for (const glyph of glyphs.toSorted((a, b) => a.baseline - b.baseline)) {
    const line = lines.at(-1)
    const first = line?.[0]
    if (line && first && glyph.baseline - first.baseline < Math.max(first.height, glyph.height) / 2) line.push(glyph)
    else lines.push([glyph])
  }
  return lines.flatMap((line) => {
    const segments: Glyphs[][] = []
    let end = Number.NEGATIVE_INFINITY
    let blank: Glyphs | undefined
    for (const glyph of line.toSorted((a, b) => a.x - b.x)) {
      if (glyph.text.trim() === '') {
        if (glyph.width > narrowestBlank * glyph.height) blank = glyph
        continue
      }
      const segment = segments.at(-1)
      if (segment && glyph.x - end < (blank ? blankGap : emptyGap) * glyph.height)
        segment.push(
          ...(blank ? [blank, glyph] : glyph.x - end > spaceGap * glyph.height ? [space(glyph), glyph] : [glyph]),
        )
      else segments.push([glyph])
      blank = undefined
      end = Math.max(end, glyph.x + glyph.width)
    }
    return segments.reverse()
  })
}

const space = (glyph: Glyphs): Glyphs => ({ ...glyph, text: ' ', width: 0 })

/**
 * The text of a line in the order in which it is read, from its glyphs in the order in which they stand, left to right.
 * Numbers and words in Latin letters are read from left to right in between.
 */
export function readFromRight(segment: Glyphs[]): string {
  let text = ''
  let fromLeft = ''
  const flush = () => {
    text += turned(fromLeft)
    fromLeft = ''
  }
  for (const { text: drawn, isRightToLeft: isTurned } of segment.toReversed()) {
    if (!isTurned) {
      fromLeft = drawn + fromLeft
      continue
    }
    flush()
    text += drawn
  }
  flush()
  // Fonts name the shapes of Arabic letters, which depend on their neighbours; a text has the letters.
  return text
    .replace(/[\ufb1d-\ufdff\ufe70-\ufefc]+/g, (shapes) => shapes.normalize('NFKC'))
    .replace(/\s+/g, ' ')
    .trim()
}

/** Words in Latin letters with all between them; numbers with their separators. */
const latin = /[\p{Script=Latin}\p{Nd}](?:.*[\p{Script=Latin}\p{Nd}])?/su
const numbers = /\p{Nd}+(?:[.,:/٫٬-]\p{Nd}+)*%?|./gsu

function turned(fromLeft: string): string {
  const found = latin.exec(fromLeft)
  if (!found) return [...fromLeft].reverse().map(mirrored).join('')
  const [run] = found
  const before = fromLeft.slice(0, found.index)
  const after = fromLeft.slice(found.index + run.length)
  const inner = /\p{Script=Latin}/u.test(run) ? run : (run.match(numbers) ?? []).reverse().map(mirrored).join('')
  return turned(after) + inner + turned(before)
}

const brackets = '()[]{}<>«»‹›'
export function mirrored(sign: string): string {
  const at = brackets.indexOf(sign)
  return at < 0 || sign.length > 1 ? sign : (brackets[at % 2 === 0 ? at + 1 : at - 1] as string)
}
