import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'

export interface ServedFile {
  size: number
  /** ETag of exactly these bytes. */
  etag: string
  mimeType: string
  fileName: string | null
  /** Whether a browser may display it inline; otherwise it is downloaded. */
  mayBeShown: boolean
  /** `end` is inclusive, as in HTTP. */
  read(range?: Range): Promise<Readable>
}

interface Range {
  start: number
  end: number
}

/**
 * Serves untrusted bytes, whole or as a range, under a policy that gives them no access to the page that displays them.
 */
export async function answerFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: ServedFile,
): Promise<FastifyReply> {
  const etag = `"${file.etag}"`
  reply
    .header('etag', etag)
    .header('accept-ranges', 'bytes')
    .header('cache-control', 'private, no-cache')
    .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'; sandbox")
    .header('content-disposition', disposition(file))
  const { 'if-none-match': known, 'if-range': unless, range: wanted } = request.headers
  if (known && (known === '*' || listOf(known).includes(etag))) return reply.code(304).send()
  const range = wanted === undefined || (unless !== undefined && unless !== etag) ? 'all' : rangeOf(wanted, file.size)
  if (range === 'none') {
    reply.header('content-range', `bytes */${file.size}`)
    throw new AppError(416, `The file has ${file.size.toLocaleString('en')} bytes`)
  }
  if (range === 'all') {
    const bytes = await file.read()
    return reply.type(file.mimeType).header('content-length', file.size).send(bytes)
  }
  const bytes = await file.read(range)
  return reply
    .code(206)
    .type(file.mimeType)
    .header('content-range', `bytes ${range.start}-${range.end}/${file.size}`)
    .header('content-length', range.end - range.start + 1)
    .send(bytes)
}

const listOf = (header: string) => header.split(',').map((each) => each.trim().replace(/^W\//, ''))

/** A single range; a malformed header or several ranges get the whole file, as HTTP allows. */
function rangeOf(header: string, size: number): Range | 'all' | 'none' {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header.trim()) ?? []
  if (first === '' && last === '') return 'all'
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'none' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return 'all'
  return start >= size ? 'none' : { start, end }
}

/** Content-Disposition by RFC 6266: an ASCII name for old browsers, the full name for others. */
export function disposition({ mayBeShown, fileName }: Pick<ServedFile, 'mayBeShown' | 'fileName'>): string {
  const kind = mayBeShown ? 'inline' : 'attachment'
  // File names are untrusted: a path must not decide where the browser saves the file.
  const name = fileName?.split(/[/\\]/).at(-1)
  if (!name) return kind
  const plain = name.replace(/[^\x20-\x7e]|["\\%;]/g, '_')
  const whole = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${kind}; filename="${plain}"; filename*=UTF-8''${whole}`
}

/** Sends lines as they are produced, as a CSV file named after its contents and the day. */
export function answerCsv(reply: FastifyReply, name: string, lines: AsyncIterable<string>): FastifyReply {
  const day = new Date().toISOString().slice(0, 10)
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}-${day}.csv"`)
    .send(Readable.from(lines, { objectMode: false }))
}
