import { type Face, faceFor } from './faces.ts'
import type { Span, Style } from './styled-text.ts'

/** A grapheme and how it can be drawn. */
export interface Character {
  /** Its start in the paragraph, in UTF-16 units. */
  start: number
  text: string
  style: Style
  /** `emoji`: drawn as a placeholder, because no colour font is bundled. `foreign`: no bundled font has it. */
  drawnBy: Face | 'emoji' | 'foreign' | 'none'
}

export interface Paragraph {
  text: string
  characters: Character[]
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const isEmoji = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u
/** A variation selector or joiner: invisible by itself. */
const decorations = /[\ufe00-\ufe0f\u{1f3fb}-\u{1f3ff}\u{e0020}-\u{e007f}]/gu
/** The Thai vowel AM: its ring is drawn below a tone mark, which precedes it in the text. */
const saraAm = /([\u0e48-\u0e4b]*)\u0e33/
const invisible = /^(?:[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|[\ufe00-\ufe0f])+$/u

export function toParagraphs(spans: Span[]): Paragraph[] {
  const paragraphs: Paragraph[] = [{ text: '', characters: [] }]
  for (const { text, ...style } of spans) {
    const lines = text.normalize('NFC').split(/\r\n|[\n\r\u2028\u2029]/)
    for (const [i, line] of lines.entries()) {
      if (i > 0) paragraphs.push({ text: '', characters: [] })
      const paragraph = paragraphs.at(-1) as Paragraph
      for (const { segment } of graphemes.segment(line)) append(paragraph, segment, style)
    }
  }
  return paragraphs
}

function append(paragraph: Paragraph, cluster: string, style: Style): void {
  const start = paragraph.text.length
  const plain = /^\s$/.test(cluster) ? ' ' : cluster
  paragraph.text += plain
  const character = { start, style, ...drawingOf(plain) }
  if (character.drawnBy === 'foreign') joinForeign(paragraph.characters, character)
  paragraph.characters.push(character)
}

/**
 * One box for a whole run: following characters of the same script, with spaces in between, are drawn with the first.
 */
function joinForeign(before: Character[], character: Character): void {
  const last = before.findLastIndex(({ text, drawnBy }) => text !== ' ' && drawnBy !== 'none')
  const beginning = before[last]
  if (beginning?.drawnBy !== 'foreign' || nameOfForeign(beginning.text) !== nameOfForeign(character.text)) return
  for (const each of [...before.slice(last + 1), character]) each.drawnBy = 'none'
}

function drawingOf(cluster: string): Pick<Character, 'text' | 'drawnBy'> {
  if (invisible.test(cluster)) return { text: cluster, drawnBy: 'none' }
  const bare = cluster.replace(decorations, '')
  const found = faceFor((bare || cluster).replace(saraAm, '\u0e4d$1\u0e32'))
  if (found) return { text: found.text, drawnBy: found.face }
  // Letters in disguise: bold, circled, full-width ones that marketing likes.
  const plain = bare.normalize('NFKC')
  const disguised = plain === bare ? undefined : faceFor(plain)
  if (disguised) return { text: disguised.text, drawnBy: disguised.face }
  return { text: cluster, drawnBy: isEmoji.test(cluster) ? 'emoji' : 'foreign' }
}

const scripts = ['Bengali', 'Tamil', 'Telugu', 'Gujarati', 'Gurmukhi', 'Kannada', 'Malayalam', 'Oriya', 'Sinhala']
const further = ['Khmer', 'Lao', 'Myanmar', 'Georgian', 'Armenian', 'Ethiopic', 'Tibetan', 'Mongolian', 'Han', 'Hangul']
const scriptNames = [...scripts, ...further].map((name) => ({ name, letters: new RegExp(`\\p{Script=${name}}`, 'u') }))

/** Replacements for characters that no bundled font has. */
export const nameOfForeign = (text: string): string =>
  `${scriptNames.find(({ letters }) => letters.test(text))?.name ?? 'other'} text`
