import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { OutboundError, type OutboundHttp } from '../../../platform/outbound-fetch.ts'

interface PageRequest {
  url: string
  userAgent: string
  maxBytes: number
  etag?: string | null
  lastModified?: string | null
  signal: AbortSignal
}

export interface PageResponse {
  status: number
  headers: Record<string, string>
  body: Buffer
}

/** No usable response. `isFinal`: another attempt would fail in the same way. */
export class PageFault extends Error {
  readonly isFinal: boolean
  constructor(message: string, isFinal: boolean) {
    super(message)
    this.isFinal = isFinal
  }
}

const timeLimitMs = 30_000

/** Requests one address, without following redirects. Throws a `PageFault`. */
export async function fetchPage(http: OutboundHttp, request: PageRequest): Promise<PageResponse> {
  const { url, userAgent, maxBytes, etag, lastModified, signal } = request
  try {
    const { status, headers, body } = await http.fetch({
      url,
      guarded: true,
      timeLimitMs,
      maxBytes,
      signal,
      headers: {
        'user-agent': userAgent,
        accept:
          'text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.9,application/xml;q=0.8,*/*;q=0.5',
        ...(etag && { 'if-none-match': etag }),
        ...(lastModified && { 'if-modified-since': lastModified }),
      },
    })
    return { status, headers, body: await decode(body, headers['content-encoding'], maxBytes) }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof PageFault) throw error
    if (!(error instanceof OutboundError)) throw error
    const { fault } = error
    if (fault === 'forbidden') throw new PageFault('The address belongs to a private network', true)
    if (fault === 'too_large') throw new PageFault(tooLarge(maxBytes), true)
    throw new PageFault(
      fault === 'timeout' ? 'The server did not answer in time' : 'The server could not be reached',
      false,
    )
  }
}

const decoders = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
}
const tooLarge = (maxBytes: number) => `The page is larger than ${maxBytes.toLocaleString('en')} bytes`

/** We ask for none; some servers compress anyway. A small response that unpacks to a huge one is refused. */
async function decode(body: Buffer, encoding: string | undefined, maxBytes: number): Promise<Buffer> {
  const name = encoding?.trim().toLowerCase()
  if (!name || name === 'identity' || body.length === 0) return body
  const decoder = decoders[name as keyof typeof decoders]
  if (!decoder) throw new PageFault(`The page is compressed with ${name}, which cannot be read`, true)
  try {
    return await decoder(body, { maxOutputLength: maxBytes })
  } catch (error) {
    const isTooLarge = (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE'
    throw new PageFault(isTooLarge ? tooLarge(maxBytes) : 'The page is damaged: it could not be decompressed', true)
  }
}

/** A server that wants us back later than this is left alone until the next crawl. */
const longestWaitSeconds = 3600

/** The seconds of `Retry-After`; undefined if there is none, or if it is too long to wait. */
export function retryAfterSeconds(headers: Record<string, string>): number | undefined {
  const given = headers['retry-after']
  if (given === undefined) return undefined
  const seconds = /^\d+$/.test(given) ? Number(given) : (Date.parse(given) - Date.now()) / 1000
  return Number.isNaN(seconds) || seconds > longestWaitSeconds ? undefined : Math.max(0, seconds)
}
