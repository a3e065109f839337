import type { TextItem } from '@llamaindex/liteparse'
import { type Glyphs, mirrored, readFromRight } from './right-to-left.ts'

/** Below this share of common letters, the glyphs are parts of letters, such as dots, and do not say which. */
const sameLetters = 0.9

/**
 * The native reader knows the letters of fonts that draw dots apart, but not in which order a word is read; the glyphs
 * tell the order. Where both know the letters, the glyphs are enough.
 */
export function withLettersOf(items: TextItem[], glyphs: Glyphs[]): Glyphs[] {
  const texts = items.map(({ text }) => text).join('')
  const drawn = glyphs.map(({ text }) => text.normalize('NFKC')).join('')
  if (commonLetters(texts, drawn) >= sameLetters) return glyphs
  const used = new Set<Glyphs>()
  const words = items.flatMap((item) => (item.words && item.words.length > 0 ? item.words : [item]))
  const pieces = words
    .filter(({ text }) => hasLetters(text))
    .map((word): Glyphs => {
      const inside = glyphs.filter(
        ({ x, width, baseline, height }) =>
          x + width / 2 >= word.x &&
          x + width / 2 <= word.x + word.width &&
          baseline - height / 3 >= word.y - height / 2 &&
          baseline - height / 3 <= word.y + word.height + height / 2,
      )
      for (const glyph of inside) used.add(glyph)
      const turned = [...word.text].reverse().map(mirrored).join('')
      const seen = shapesOf(readFromRight(inside))
      const isTurned = inCommon(shapesOf(turned), seen) > inCommon(shapesOf(word.text), seen)
      return {
        text: isTurned ? turned : word.text,
        isRightToLeft: true,
        x: word.x,
        width: word.width,
        baseline: Math.max(word.y, ...inside.map(({ baseline }) => baseline)),
        height: Math.max(1, ...inside.map(({ height }) => height)),
      }
    })
  // Numbers and Latin letters have no parts.
  const others = glyphs.filter((glyph) => !glyph.isRightToLeft && glyph.text.trim() !== '' && !used.has(glyph))
  const all = [...pieces, ...others]
  return all.flatMap((piece) => [...blankBefore(piece, all), piece])
}

/** In heights of the letters. Parts of a word stand closer together, or overlap. */
const narrowestGap = 0.12

function blankBefore(piece: Glyphs, pieces: Glyphs[]): Glyphs[] {
  const { x, baseline, height } = piece
  const isLeft = (other: Glyphs) => other.x < x && Math.abs(other.baseline - baseline) < height / 2
  const gap = x - Math.max(...pieces.filter(isLeft).map((other) => other.x + other.width))
  return gap > narrowestGap * height && gap < height ? [{ ...piece, text: ' ', x: x - gap, width: gap }] : []
}

/** Letters that differ in their dots alone look the same here. */
const shapesOf = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[بتثپٮ]/g, 'ٮ')
    .replace(/[جخحچ]/g, 'ح')
    .replace(/[نں]/g, 'ں')
    .replace(/[يىیئ]/g, 'ى')
    .replace(/[فقڡٯ]/g, 'ڡ')
    .replace(/[ةهە]/g, 'ه')
    .replace(/[شس]/g, 'س')
    .replace(/[ذد]/g, 'د')
    .replace(/[زر]/g, 'ر')
    .replace(/[ضص]/g, 'ص')
    .replace(/[ظط]/g, 'ط')
    .replace(/[غع]/g, 'ع')

const hasLetters = (text: string): boolean => /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text)

function commonLetters(a: string, b: string): number {
  const left = new Map<string, number>()
  for (const letter of b) left.set(letter, (left.get(letter) ?? 0) + 1)
  const all = a.match(/\p{L}/gu) ?? []
  let common = 0
  for (const letter of all) {
    const count = left.get(letter) ?? 0
    if (count > 0) common++
    left.set(letter, count - 1)
  }
  return common / Math.max(1, all.length)
}

/** Length of the longest common subsequence. */
function inCommon(a: string, b: string): number {
  let row = new Array<number>(b.length + 1).fill(0)
  for (const letter of a) {
    const next = [0]
    for (let j = 1; j <= b.length; j++)
      next[j] = letter === b[j - 1] ? (row[j - 1] as number) + 1 : Math.max(row[j] as number, next[j - 1] as number)
    row = next
  }
  return row[b.length] as number
}
