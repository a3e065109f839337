import type { NewChunk } from './queries.ts'

/** The text of a document, as it is indexed. */
export interface IndexedText {
  /** What the file name says about the document; empty where the text says it itself. */
  title: string
  language: string
  chunks: NewChunk[]
}
