import bidiFactory, { type Bidi } from 'bidi-js'
import { type Character, nameOfForeign, type Paragraph, toParagraphs } from './characters.ts'
import type { Face, Weight } from './faces.ts'
import { lineBreaks } from './line-breaks.ts'
import type { Span, Style } from './styled-text.ts'

// Its types describe an ES module; Node gets the function itself.
const bidi = (bidiFactory as unknown as () => Bidi)()

/** A run that is drawn at once, from left to right. */
export interface Run {
  x: number
  width: number
  text: string
  style: Style
  drawnBy: Face | 'emoji' | 'foreign'
}

export interface Line {
  /** In reading order, which is the order of copied text. */
  runs: Run[]
  width: number
  isRightToLeft: boolean
  /** In reading order. */
  text: string
}

export interface LayoutOptions {
  width: number
  size: number
  bold?: boolean
  maxLines?: number
}

export const weightOf = (style: Style, bold: boolean): Weight => (style.bold || bold ? 600 : 400)
/** The width of a placeholder, relative to the font size. */
const emojiWidth = 1.2
const foreignSize = 0.8
const foreignPadding = 0.35
const space = 0x20

/** Lays out text in any script that the faces have. */
export function layOut(spans: Span[], options: LayoutOptions): Line[] {
  const { maxLines = Number.POSITIVE_INFINITY } = options
  const lines: Line[] = []
  for (const paragraph of toParagraphs(spans)) {
    const { levels, paragraphs } = bidi.getEmbeddingLevels(paragraph.text)
    const isRightToLeft = ((paragraphs[0]?.level ?? 0) & 1) === 1
    for (const stretch of breakLines(paragraph, options)) {
      if (lines.length === maxLines) return [...lines.slice(0, -1), shorten(lines.at(-1) as Line, options)]
      lines.push(toLine(stretch, levels, isRightToLeft, options))
    }
  }
  return lines
}

/** Fills lines with as many unbreakable pieces as fit; a piece wider than a line is broken anywhere. */
function breakLines(paragraph: Paragraph, options: LayoutOptions): Character[][] {
  const lines: Character[][] = [[]]
  let used = 0
  const fits = (characters: Character[]) => used + widthOf(trimEnd(characters), options) <= options.width
  const add = (characters: Character[]) => {
    lines.at(-1)?.push(...characters)
    used += widthOf(characters, options)
  }
  const startLine = () => {
    if (lines.at(-1)?.length === 0) return
    lines.push([])
    used = 0
  }
  for (const piece of piecesOf(paragraph)) {
    if (!fits(piece)) startLine()
    if (fits(piece)) {
      add(piece)
      continue
    }
    for (const character of piece) {
      if (!fits([character])) startLine()
      add([character])
    }
  }
  return lines.map(trimEnd)
}

function piecesOf({ text, characters }: Paragraph): Character[][] {
  const breaks = lineBreaks(text)
  const pieces: Character[][] = []
  for (const character of characters) {
    if (pieces.length === 0 || breaks.has(character.start)) pieces.push([])
    pieces.at(-1)?.push(character)
  }
  return pieces
}

const trimEnd = (characters: Character[]) => {
  const last = characters.findLastIndex(({ text }) => text !== ' ')
  return last === characters.length - 1 ? characters : characters.slice(0, last + 1)
}

interface Item extends Omit<Run, 'x' | 'width'> {
  level: number
}

/** Text of one face, one style and one direction. */
function itemsOf(characters: Character[], levels?: Uint8Array): Item[] {
  const items: Item[] = []
  for (const [i, { text, style, start, ...character }] of characters.entries()) {
    const { drawnBy: before } = items.at(-1) ?? {}
    // A space between words of one script belongs to them, so that copied text keeps the order of its words.
    const joinsWords = text === ' ' && typeof before === 'object' && characters[i + 1]?.drawnBy === before
    const drawnBy = joinsWords && before.open(400).hasGlyphForCodePoint(space) ? before : character.drawnBy
    if (drawnBy === 'none') continue
    const level = levels?.[start] ?? 0
    const last = items.at(-1)
    const joins = last?.drawnBy === drawnBy && isSame(last.style, style) && last.level === level && drawnBy !== 'emoji'
    if (joins && last) last.text += text
    else items.push({ text, style, drawnBy, level })
  }
  return items
}

const isSame = (one: Style, other: Style) =>
  one.bold === other.bold && one.oblique === other.oblique && one.strike === other.strike && one.color === other.color

const widthOf = (characters: Character[], options: LayoutOptions) =>
  itemsOf(characters).reduce((total, item) => total + widthOfItem(item, options), 0)

const widths = new Map<string, number>()
const mostWidths = 20_000

function widthOfItem(
  { drawnBy, text, style }: Pick<Item, 'drawnBy' | 'text' | 'style'>,
  options: LayoutOptions,
): number {
  const { size, bold = false } = options
  if (drawnBy === 'emoji') return size * emojiWidth
  if (drawnBy === 'foreign') return foreignWidth(text, size)
  const weight = weightOf(style, bold)
  const key = `${drawnBy.name} ${weight} ${text}`
  let width = widths.get(key)
  if (width === undefined) {
    if (widths.size >= mostWidths) widths.clear()
    width = drawnBy.open(weight).layout(text, []).advanceWidth / 1000
    widths.set(key, width)
  }
  return width * size
}

function foreignWidth(text: string, size: number): number {
  const [label] = layOut([{ text: nameOfForeign(text) }], { width: 1000, size: size * foreignSize })
  return (label?.width ?? 0) + 2 * foreignPadding * size
}

function toLine(characters: Character[], levels: Uint8Array, isRightToLeft: boolean, options: LayoutOptions): Line {
  const items = itemsOf(characters, levels)
  const runs = new Map<Item, Run>()
  let x = 0
  for (const item of inVisualOrder(items)) {
    const width = widthOfItem(item, options)
    runs.set(item, { x, width, text: asSeen(item), style: item.style, drawnBy: item.drawnBy })
    x += width
  }
  return {
    runs: items.map((item) => runs.get(item) as Run),
    width: x,
    isRightToLeft,
    text: characters.map(({ text }) => text).join(''),
  }
}

/** Rule L2 of the bidirectional algorithm: from the highest level down, runs at or above it are reversed. */
function inVisualOrder(items: Item[]): Item[] {
  const ordered = [...items]
  const highest = Math.max(0, ...items.map(({ level }) => level))
  for (let level = highest; level > 0; level--)
    for (let start = 0; start < ordered.length; start++) {
      let end = start
      while (end < ordered.length && (ordered[end] as Item).level >= level) end++
      if (end > start) ordered.splice(start, end - start, ...ordered.slice(start, end).reverse())
      start = end
    }
  return ordered
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}]/u

/**
 * Shaping reverses Arabic and Hebrew by itself, including numbers, which run from left to right: those are reversed
 * beforehand. Punctuation between words is reversed and mirrored here.
 */
function asSeen({ text, level, drawnBy }: Item): string {
  if (typeof drawnBy === 'string') return text
  const runsLeft = (level & 1) === 1
  const isTurned = drawnBy.isRightToLeft && rightToLeft.test(text)
  const seen = runsLeft ? [...text].map((each) => bidi.getMirroredCharacter(each) ?? each).join('') : text
  if (runsLeft === isTurned) return seen
  return [...graphemes.segment(seen)]
    .reverse()
    .map(({ segment }) => segment)
    .join('')
}

/** There is more than fits: the last line ends in an ellipsis. */
function shorten(line: Line, options: LayoutOptions): Line {
  const { text } = line
  const style = line.runs[0]?.style ?? {}
  const characters = [...graphemes.segment(text)].map(({ segment }) => segment)
  for (let length = characters.length; length >= 0; length--) {
    const shortened = `${characters.slice(0, length).join('').trimEnd()}…`
    const lines = layOut([{ ...style, text: shortened }], { ...options, maxLines: 2, width: Number.POSITIVE_INFINITY })
    const [only] = lines
    if (only && only.width <= options.width) return only
  }
  return line
}
