import { readFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type ChunkCuts, findCuts } from '../chunking/split-text.ts'
import { type DocumentType, type ParsedDocument, UnreadableDocument } from './document.ts'
import { parseBytes } from './parse-bytes.ts'
import type { PdfEngine } from './parse-pdf.ts'
import type { WatchedLimits } from './watchdog.ts'

/** The order for this process, as its one argument. */
export interface ParseOrder {
  file: string
  type: DocumentType
  characters: number
  engine: PdfEngine
  limits: WatchedLimits
}

/**
 * Its answers, one line of JSON each, on file descriptor 3: parsers may print what they like on the others. The text of
 * a document follows its line, as UTF-8 to the end.
 */
export type ParserMessage =
  | { progress: number }
  | { document: DocumentDescription }
  | { unreadable: Pick<UnreadableDocument, 'code' | 'message'> }

export type DocumentDescription = Omit<ParsedDocument, 'text'> & { cuts: ChunkCuts[] }

const out = new Socket({ fd: 3, readable: false, writable: true })
const say = (news: ParserMessage) => out.write(`${JSON.stringify(news)}\n`)

try {
  const order: ParseOrder = JSON.parse(process.argv[2] as string)
  new Worker(join(import.meta.dirname, 'watchdog.ts'), { workerData: order.limits }).unref()
  const onProgress = (progress: number) => say({ progress })
  const document = await parseBytes(readFileSync(order.file), { ...order, onProgress })
  const { text, ...description } = document
  say({ document: { ...description, cuts: findCuts(document) } })
  out.write(text)
} catch (error) {
  if (!(error instanceof UnreadableDocument)) throw error
  if (error.cause) process.stderr.write(`${error.cause}\n`)
  say({ unreadable: { code: error.code, message: error.message } })
}
out.end()
