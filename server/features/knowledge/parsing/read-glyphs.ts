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
  return (items as DrawnText[]).map(({ str, dir, width, height, transform }) => ({
    text: str,
    isRightToLeft: dir === 'rtl',
    x: (transform[4] ?? 0) - left,
    baseline: top - (transform[5] ?? 0),
    width,
    height: height || Math.abs(transform[3] ?? 0) || 12,
  }))
}
