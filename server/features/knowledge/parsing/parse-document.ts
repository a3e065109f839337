import { mkdtemp, readFile, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { languageDataFile } from '../../../platform/language-data.ts'
import { type ChunkedDocument, chunksAt, findCuts } from '../chunking/split-text.ts'
import { UnreadableDocument } from './document.ts'
import { type FileKind, factsOf } from './file-kinds.ts'
import { parseBytes } from './parse-bytes.ts'
import type { PdfEngine } from './parse-pdf.ts'
import type { ParseOrder } from './parser-process.ts'
import type { Recognition } from './recognition.ts'
import { type ParseLimits, type ParserRun, runParser } from './run-parser.ts'

/** A thousand pages take about ten seconds and 200 MB; a file that needs far more was built to. */
const defaultLimits: ParseLimits = { timeMs: 180_000, memoryBytes: 1024 << 20, characters: 30_000_000 }

/** A dense page takes a few seconds. */
const recognitionTimeMs = 3_600_000

/**
 * Plain text up to this size is decoded here, in about five milliseconds: starting a process would take many times
 * that.
 */
const smallText = 64 << 10

export interface ParseOptions {
  type: FileKind
  signal?: AbortSignal
  /** From 0 to 1, as far as it is known. */
  onProgress?: (share: number) => void
  limits?: Partial<ParseLimits>
  /** `javascript` skips the native PDF reader even where it is installed. */
  engine?: PdfEngine
  /** Of text recognition, whose data is installed; without any, images and scanned PDFs fail. */
  ocrLanguages?: readonly string[] | undefined
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
  const recognition = await openRecognition(options)
  try {
    return await parseInProcess(file, { options, recognition, run })
  } finally {
    if (recognition) await rm(recognition.folder, { recursive: true, force: true })
  }
}

/** Scratch space for the one process that reads this document: nothing that it writes is read for another one. */
async function openRecognition({ type, ocrLanguages = [] }: ParseOptions): Promise<Recognition | undefined> {
  if (ocrLanguages.length === 0 || !(type === 'pdf' || factsOf(type).isImage)) return undefined
  const languages = ocrLanguages.map((name) => ({ name, file: languageDataFile(name) as string }))
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'frontdesk-recognition-')))
  return { languages, folder, timeMs: recognitionTimeMs }
}

interface Parsing {
  options: ParseOptions
  recognition: Recognition | undefined
  run: ParserRun
}

async function parseInProcess(file: string, { options, recognition, run }: Parsing): Promise<ChunkedDocument> {
  const order = {
    file: await realpath(file),
    type: options.type,
    characters: run.limits.characters,
    engine: options.engine ?? 'native',
    ...(recognition && { recognition }),
  }
  if (order.type === 'txt' && (await stat(order.file)).size <= smallText) return decodeHere(order, run)
  const { document } = await runParser(order, run)
  if (document) return document
  // The native reader crashed on this file; the other one does not share its bugs.
  const hasSecondReader = order.type === 'pdf' && order.engine === 'native'
  const second = hasSecondReader ? await runParser({ ...order, engine: 'javascript' }, run) : {}
  if (second.document) return second.document
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
