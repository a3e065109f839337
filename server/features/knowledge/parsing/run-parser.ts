import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { lowerPriority } from '../../../platform/lower-priority.ts'
import { type ChunkedDocument, chunksAt } from '../chunking/split-text.ts'
import { UnreadableDocument } from './document.ts'
import type { WebPage } from './markup/extract-web-page.ts'
import type { DocumentDescription, ParseOrder, ParserMessage } from './parser-process.ts'

export interface ParseLimits {
  timeMs: number
  memoryBytes: number
  /** Of the extracted text. */
  characters: number
}

export interface ParserRun {
  limits: ParseLimits
  endsAt: number
  signal: AbortSignal | undefined
  onProgress: (share: number) => void
}

const tooSlow = () =>
  new UnreadableDocument('timeout', 'Reading the file took too long. It may be damaged, or far too large.')
const tooBig = () =>
  new UnreadableDocument('memory', 'Reading the file took more memory than any ordinary document needs.')

/** One process per document: no state is left for the next one. Returns neither when the process crashed. */
export async function runParser(order: Omit<ParseOrder, 'limits'>, run: ParserRun): Promise<ParserResult> {
  run.signal?.throwIfAborted()
  const { memoryBytes } = run.limits
  const recognitionMs = order.recognition?.timeMs ?? 0
  const timeMs = Math.max(0, run.endsAt - performance.now())
  // The child has a watchdog of its own, a little later than this timer: it matters only when the server is gone.
  const child = startParser({
    ...order,
    limits: {
      server: process.pid,
      timeMs: timeMs + recognitionMs + 2000,
      memoryBytes: memoryBytes * 1.2,
    },
  })
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  let fault: unknown
  const stop = (reason: unknown) => {
    fault ??= reason
    child.kill('SIGKILL')
  }
  child.once('error', stop)
  const onAbort = () => stop(run.signal?.reason)
  run.signal?.addEventListener('abort', onAbort, { once: true })
  let timer = setTimeout(() => stop(tooSlow()), timeMs)
  let isRecognizing = false
  const onRecognizing = () => {
    if (isRecognizing) return
    isRecognizing = true
    clearTimeout(timer)
    timer = setTimeout(() => stop(tooSlow()), recognitionMs)
  }
  const watch = watchMemory(child, memoryBytes, () => stop(tooBig()))
  try {
    const lastWords = keepLastWords(child.stderr as Readable)
    const answer = readOutput(child.stdio[3] as Readable, { ...run, onRecognizing }, stop)
    await closed
    if (fault) throw fault
    const { unreadable, ...result } = answer()
    if (unreadable) throw new UnreadableDocument(unreadable.code, unreadable.message)
    if (!result.document && /heap out of memory|allocation failed/i.test(lastWords())) throw tooBig()
    return result
  } finally {
    clearTimeout(timer)
    clearInterval(watch)
    run.signal?.removeEventListener('abort', onAbort)
  }
}

function startParser(order: ParseOrder): ChildProcess {
  const { SystemRoot } = process.env
  const { recognition } = order
  const languageData = recognition ? [recognition.folder, ...recognition.languages.map(({ file }) => file)] : []
  const child = spawn(
    process.execPath,
    [
      // Room for what the parsers keep outside of JavaScript's heap.
      `--max-old-space-size=${Math.ceil(order.limits.memoryBytes / 2 ** 20 / 2)}`,
      '--no-warnings',
      '--permission',
      '--allow-addons',
      '--allow-worker',
      `--allow-fs-write=${compiledCode}`,
      ...(recognition ? [`--allow-fs-write=${recognition.folder}`] : []),
      ...[...ownCode(), compiledCode, order.file, ...languageData].map((path) => `--allow-fs-read=${path}`),
      join(import.meta.dirname, 'parser-process.ts'),
      JSON.stringify(order),
    ],
    {
      // The server's environment holds secrets; Windows needs to know where its own libraries are.
      env: { NODE_COMPILE_CACHE: compiledCode, ...(SystemRoot ? { SystemRoot } : {}) },
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      windowsHide: true,
    },
  )
  try {
    // Requests take priority: a document can wait.
    if (child.pid) lowerPriority(10, child.pid)
  } catch {
    // The process is gone already; `close` follows.
  }
  return child
}

/**
 * A compile cache apart from the server's own: what a hostile document might leave here is only ever loaded by parsers.
 */
const compiledCode = join(import.meta.dirname, '../../../../node_modules/.cache/frontdesk-parsers')

/** Besides its one document, a parser may read these paths and nothing else. */
let knownCode: string[] | undefined
function ownCode(): string[] {
  if (knownCode) return knownCode
  try {
    mkdirSync(compiledCode, { recursive: true })
  } catch {
    // On a read-only installation every parser compiles its code again.
  }
  // Every package folder and package.json on the way up, as module resolution looks for them.
  const packages = ancestors(import.meta.dirname).flatMap((folder) => [
    join(folder, 'node_modules'),
    join(folder, 'package.json'),
  ])
  const platform = ['csv-parser.ts', 'text-encoding'].map((name) => `../../../platform/${name}`)
  const shared = ['../chunking', ...platform].map((path) => join(import.meta.dirname, path))
  knownCode = [import.meta.dirname, ...shared, ...packages].filter((path) => existsSync(path))
  return knownCode
}

function ancestors(folder: string): string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...ancestors(parent)]
}

/** Linux reports it; elsewhere the heap limit and the time limit have to do. */
function watchMemory(child: ChildProcess, maxBytes: number, onExceeded: () => void) {
  return setInterval(async () => {
    const facts = await readFile(`/proc/${child.pid}/status`, 'latin1').catch(() => '')
    const residentKilobytes = Number(/VmRSS:\s*(\d+)/.exec(facts)?.[1] ?? 0)
    if (residentKilobytes * 1024 > maxBytes) onExceeded()
  }, 40)
}

/** The end of what a parser prints is enough to know why it died. */
function keepLastWords(stream: Readable): () => string {
  let words = ''
  stream.setEncoding('utf8')
  stream.on('data', (text: string) => {
    words = (words + text).slice(-4000)
  })
  stream.on('error', () => {})
  return () => words
}

interface ParserResult {
  document?: ChunkedDocument
  webPage?: WebPage
}

interface Answer extends ParserResult {
  unreadable?: Pick<UnreadableDocument, 'code' | 'message'>
}

/** Lines of JSON, and after the one that describes a document its text to the end: such a long line is never parsed. */
function readOutput(
  stream: Readable,
  { limits, onProgress, onRecognizing }: ParserRun & { onRecognizing: () => void },
  stop: (reason: unknown) => void,
): () => Answer {
  let line: Buffer[] = []
  let described: DocumentDescription | undefined
  let unreadable: Answer['unreadable']
  let webPage: WebPage | undefined
  const text: Buffer[] = []
  // No character takes more than three bytes; the lines about them take fewer.
  let bytesLeft = limits.characters * 6 + 2 ** 24

  function handle(message: ParserMessage): void {
    if ('progress' in message) onProgress(message.progress)
    else if ('recognizing' in message) onRecognizing()
    else if ('unreadable' in message) unreadable = message.unreadable
    else if ('webPage' in message) webPage = message.webPage
    else described = message.document
  }

  stream.on('data', (bytes: Buffer) => {
    bytesLeft -= bytes.length
    if (bytesLeft < 0) return stop(tooBig())
    let rest = bytes
    for (let end = rest.indexOf(newline); end >= 0 && !described; end = rest.indexOf(newline)) {
      handle(JSON.parse(Buffer.concat([...line, rest.subarray(0, end)]).toString()))
      line = []
      rest = rest.subarray(end + 1)
    }
    ;(described ? text : line).push(rest)
    return undefined
  })
  stream.on('error', () => {})
  return () => {
    if (unreadable) return { unreadable }
    if (webPage) return { webPage }
    if (!described) return {}
    const { cuts, ...description } = described
    const whole = Buffer.concat(text).toString()
    return { document: { ...description, text: whole, chunks: chunksAt(whole, cuts) } }
  }
}

const newline = 10
