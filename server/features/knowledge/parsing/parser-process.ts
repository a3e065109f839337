import { readFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type ChunkCuts, findCuts } from '../chunking/split-text.ts'
import { type ParsedDocument, UnreadableDocument } from './document.ts'
import type { FileKind } from './file-kinds.ts'
import type { WebPage } from './markup/extract-web-page.ts'
import { parseBytes } from './parse-bytes.ts'
import type { PdfEngine } from './parse-pdf.ts'
import type { Recognition } from './recognition.ts'
import type { WatchedLimits } from './watchdog.ts'

/** The order for this process, as its one argument. */
export interface ParseOrder {
  file: string
  type: FileKind
  characters: number
  engine: PdfEngine
  /** Where text recognition is set up. */
  recognition?: Recognition
  /** For a page of a website, of which the main content and the links are wanted. */
  webPage?: { url: string; charset?: string | undefined }
  limits: WatchedLimits
}

/**
 * Its answers, one line of JSON each, on file descriptor 3: parsers may print what they like on the others. The text of
 * a document follows its line, as UTF-8 to the end.
 */
export type ParserMessage =
  | { progress: number }
  | { recognizing: true }
  | { document: DocumentDescription }
  | { webPage: WebPage }
  | { unreadable: Pick<UnreadableDocument, 'code' | 'message'> }

export type DocumentDescription = Omit<ParsedDocument, 'text'> & { cuts: ChunkCuts[] }

const out = new Socket({ fd: 3, readable: false, writable: true })
const say = (news: ParserMessage) => out.write(`${JSON.stringify(news)}\n`)

try {
  const order: ParseOrder = JSON.parse(process.argv[2] as string)
  new Worker(join(import.meta.dirname, 'watchdog.ts'), { workerData: order.limits }).unref()
  const bytes = readFileSync(order.file)
  if (order.webPage) {
    const { extractWebPage } = await import('./markup/extract-web-page.ts')
    say({ webPage: extractWebPage(bytes, order.webPage) })
  } else {
    const document = await parseBytes(bytes, {
      ...order,
      onProgress: (progress) => say({ progress }),
      onRecognizing: () => say({ recognizing: true }),
    })
    const { text, ...description } = document
    say({ document: { ...description, cuts: findCuts(document) } })
    out.write(text)
  }
} catch (error) {
  if (!(error instanceof UnreadableDocument)) throw error
  if (error.cause) process.stderr.write(`${error.cause}\n`)
  say({ unreadable: { code: error.code, message: error.message } })
}
out.end()
