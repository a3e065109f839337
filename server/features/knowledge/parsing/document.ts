/** The types that `POST /knowledge-base/upload` takes; a document of any other kind shows `txt`. */
export const documentTypes = ['pdf', 'docx', 'txt'] as const
export type DocumentType = (typeof documentTypes)[number]

/** The text of a file. Positions are JavaScript indices into `text`. */
export interface ParsedDocument {
  /** Never empty; of a TXT file exactly its decoded characters, without a byte order mark. */
  text: string
  /** In order, none for files without pages. Text between two pages belongs to neither. */
  pages: Page[]
  headings: Heading[]
  /** A text search configuration of PostgreSQL: english, german, …, or `simple` where the language is unknown. */
  language: string
}

export interface Page {
  number: number
  start: number
  end: number
}

export interface Heading {
  offset: number
  level: number
  text: string
}

type UnreadableCode =
  | 'mislabelled'
  | 'empty'
  | 'encrypted'
  | 'scanned'
  | 'damaged'
  | 'binary'
  | 'bomb'
  | 'too_long'
  | 'timeout'
  | 'memory'

/** The file is at fault, so a retry would not help. The message is a sentence for the person who uploaded it. */
export class UnreadableDocument extends Error {
  readonly code: UnreadableCode
  constructor(code: UnreadableCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}
