import { UnreadableDocument } from './document.ts'
import { isGibberish } from './gibberish.ts'
import type { PdfReading } from './pdf-reading.ts'
import type { TextBuilder } from './text-builder.ts'

export type PdfEngine = 'native' | 'javascript'

/** The native reader where it is installed and finds words; otherwise the one in plain JavaScript. */
export async function parsePdf(bytes: Buffer, engine: PdfEngine, makeReading: () => PdfReading): Promise<TextBuilder> {
  if (engine === 'native') {
    try {
      const { readPdf } = await import('./read-pdf-native.ts')
      const builder = await readPdf(bytes, makeReading())
      if (!isGibberish(builder.finish().text)) return builder
      process.stderr.write('The native PDF reader found no words\n')
    } catch (error) {
      if (error instanceof UnreadableDocument) throw error
      process.stderr.write(`The native PDF reader failed: ${error instanceof Error ? error.message : error}\n`)
    }
  }
  const { readPdf } = await import('./read-pdf-javascript.ts')
  return readPdf(bytes, makeReading())
}
