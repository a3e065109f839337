import type { Recognition } from './recognition.ts'
import type { TextBuilder } from './text-builder.ts'

/** What a PDF reader writes to. */
export interface PdfReading {
  builder: TextBuilder
  onProgress: (share: number) => void
  /** For pages that are pictures, where it is set up. */
  recognition?: Recognition | undefined
  /** Called before the first of them. */
  onRecognizing?: (() => void) | undefined
}
