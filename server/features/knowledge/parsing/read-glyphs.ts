import type { getDocumentProxy } from 'unpdf'
import type { Glyphs } from './right-to-left.ts'

type PdfPage = Awaited<ReturnType<Awaited<ReturnType<typeof getDocumentProxy>>['getPage']>>

interface DrawnText {
  str: string
  dir: string
  width: number
  height: number
  transform: number[]
}

/** Where each glyph of a page stands. */
export async function readGlyphs(page: PdfPage): Promise<Glyphs[]> {
  const [left = 0, , , top = 0] = page.view
  const { items } = await page.getTextContent({ disableNormalization: true })
  const drawn = items as DrawnText[]
  const hasAlefLam = drawn.some(({ str }) => alefLam.test(str))
  const wordOf = hasAlefLam ? await readLigatures(page) : undefined
  return drawn.map(({ str, dir, width, height, transform }) => ({
    text: wordOf ? str.replace(word, (found) => wordOf.get(found) ?? found) : str,
    isRightToLeft: dir === 'rtl',
    x: (transform[4] ?? 0) - left,
    baseline: top - (transform[5] ?? 0),
    width,
    height: height || Math.abs(transform[3] ?? 0) || 12,
  }))
}

/** What a turned ligature of lam and alef looks like, and the article. */
const alefLam = /[اأإآ]ل/
const word = /[\p{Script=Arabic}\p{M}]+/gu
const isArabic = (text: string): boolean => /^[\p{Script=Arabic}\p{M}]+$/u.test(text)

/**
 * pdf.js turns what is drawn from left to right by its characters, and so the two of a glyph for lam and alef, as
 * LibreOffice draws them. Returns such words by what pdf.js makes of them.
 */
async function readLigatures(page: PdfPage): Promise<Map<string, string>> {
  const { argsArray } = await page.getOperatorList()
  const words = new Map<string, string>()
  const others = new Set<string>()
  for (const given of argsArray as unknown[]) {
    const shown: unknown = Array.isArray(given) && given[0]
    if (!Array.isArray(shown)) continue
    let glyphs: string[] = []
    const end = () => {
      const text = glyphs.toReversed().join('')
      const turned = [...glyphs.join('')].reverse().join('')
      if (text === turned) others.add(text)
      else words.set(turned, text)
      glyphs = []
    }
    for (const glyph of shown) {
      const unicode: unknown = glyph?.unicode
      if (typeof unicode !== 'string') continue
      if (isArabic(unicode)) glyphs.push(unicode)
      else end()
    }
    end()
  }
  for (const text of others) words.delete(text)
  return words
}
