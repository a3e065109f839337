import { readFile, realpath, stat } from 'node:fs/promises'
import { type ChunkedDocument, chunksAt, findCuts } from '../chunking/split-text.ts'
import { type DocumentType, UnreadableDocument } from './document.ts'
import { parseBytes } from './parse-bytes.ts'
import type { PdfEngine } from './parse-pdf.ts'
import type { ParseOrder } from './parser-process.ts'
import { type ParseLimits, type ParserRun, runParser } from './run-parser.ts'

/** A thousand pages take about ten seconds and 200 MB; a file that needs far more was built to. */
const defaultLimits: ParseLimits = { timeMs: 180_000, memoryBytes: 1024 << 20, characters: 30_000_000 }

/**
 * Plain text up to this size is decoded here, in about five milliseconds: starting a process would take many times
 * that.
 */
const smallText = 64 << 10

export interface ParseOptions {
  type: DocumentType
  signal?: AbortSignal
  /** From 0 to 1, as far as it is known. */
  onProgress?: (share: number) => void
  limits?: Partial<ParseLimits>
  /** `javascript` skips the native PDF reader even where it is installed. */
  engine?: PdfEngine
}

/**
 * Reads a file on disk in a child process, which is killed when it takes too long, grows too large or when `signal`
 * aborts. Throws `UnreadableDocument` when the file is at fault, the signal's reason when it was aborted.
 */
export async function parseDocument(file: string, options: ParseOptions): Promise<ChunkedDocument> {
  const limits = { ...defaultLimits, ...options.limits }
  const run = {
    limits,
    endsAt: performance.now() + limits.timeMs,
    signal: options.signal,
    onProgress: options.onProgress ?? (() => {}),
  }
  const order = {
    file: await realpath(file),
    type: options.type,
    characters: limits.characters,
    engine: options.engine ?? 'native',
  }
  if (order.type === 'txt' && (await stat(order.file)).size <= smallText) return decodeHere(order, run)
  const document = await runParser(order, run)
  if (document) return document
  // The native reader crashed on this file; the other one does not share its bugs.
  const hasSecondReader = order.type === 'pdf' && order.engine === 'native'
  const second = hasSecondReader ? await runParser({ ...order, engine: 'javascript' }, run) : undefined
  if (second) return second
  throw new UnreadableDocument('damaged', 'The file is damaged in a way that no reader could make sense of.')
}

async function decodeHere(
  order: Pick<ParseOrder, 'file' | 'type' | 'characters' | 'engine'>,
  { signal, onProgress }: ParserRun,
): Promise<ChunkedDocument> {
  signal?.throwIfAborted()
  const document = await parseBytes(await readFile(order.file), { ...order, onProgress })
  return { ...document, chunks: chunksAt(document.text, findCuts(document)) }
}
