import { getDocumentProxy } from 'unpdf'
import { cleanText, joinBrokenWords } from './clean-text.ts'
import { UnreadableDocument } from './document.ts'
import { smallestLetters } from './hidden-pdf-text.ts'
import type { PdfReading } from './pdf-reading.ts'
import { readGlyphs } from './read-glyphs.ts'
import { type Glyphs, isRightToLeft, readFromRight, segmentsOf } from './right-to-left.ts'
import type { TextBuilder } from './text-builder.ts'

interface DrawnText {
  str: string
  hasEOL: boolean
  height: number
  transform: number[]
}

export async function readPdf(bytes: Buffer, { builder, onProgress }: PdfReading): Promise<TextBuilder> {
  const pdf = await open(bytes)
  for (let number = 1; number <= pdf.numPages; number++) {
    builder.startPage(number)
    try {
      const page = await pdf.getPage(number)
      const { items } = await page.getTextContent()
      const text = pageText(items as DrawnText[])
      builder.add(isRightToLeft(text) ? fromRight(await readGlyphs(page)) : text)
      page.cleanup()
    } catch (error) {
      if (error instanceof UnreadableDocument) throw error
      process.stderr.write(`Page ${number} cannot be read: ${error instanceof Error ? error.message : error}\n`)
    }
    onProgress(number / pdf.numPages)
  }
  return builder
}

async function open(bytes: Buffer) {
  try {
    return await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 })
  } catch (error) {
    if ((error as Error).name === 'PasswordException')
      throw new UnreadableDocument(
        'encrypted',
        'The PDF needs a password to open. Remove it and upload it again.',
        error,
      )
    throw new UnreadableDocument('damaged', 'The PDF is damaged or was not uploaded completely.', error)
  }
}

/** No one can read it. This reader does not know the color of a text, so that white text stays. */
const isTiny = (height: number): boolean => height > 0 && height <= smallestLetters

/** In the order in which the page was written, which is nearly always the reading order. */
function pageText(items: DrawnText[]): string {
  let text = ''
  let lineY: number | undefined
  for (const { str: drawn, hasEOL, height, transform } of items) {
    const y = transform[5] ?? 0
    const str = isTiny(height) ? '' : drawn
    if (str && lineY !== undefined && text.endsWith('\n') && Math.abs(lineY - y) > 1.7 * (height || 12)) text += '\n'
    text += str
    if (str.trim()) lineY = y
    if (hasEOL && !text.endsWith('\n')) text += '\n'
  }
  return joinBrokenWords(cleanText(text)).trim()
}

/** The cells of a row stand on one line, the first at the right. */
function fromRight(glyphs: Glyphs[]): string {
  const visible = glyphs.filter(({ height }) => !isTiny(height))
  const lines = Map.groupBy(segmentsOf(visible), ([first]) => Math.round(first?.baseline ?? 0))
  return cleanText([...lines.values()].map((segments) => segments.map(readFromRight).join(' | ')).join('\n')).trim()
}
