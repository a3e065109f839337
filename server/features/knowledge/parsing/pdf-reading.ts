import type { TextBuilder } from './text-builder.ts'

/** What a PDF reader writes to. */
export interface PdfReading {
  builder: TextBuilder
  onProgress: (share: number) => void
}
