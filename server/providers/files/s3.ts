import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { type OutboundAnswer, OutboundError, type OutboundHttp } from '../../platform/outbound-fetch.ts'
import { checkKey, FileMissing, type FileStore } from './contract.ts'

interface S3Options {
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  http: OutboundHttp
  /** Memory per upload; S3 requires parts of at least 5 MiB and allows 10,000 parts. */
  partBytes?: number
  timeLimitMs?: number
  retryDelayMs?: number
}

const attempts = 4
const maxAnswerBytes = 1024 * 1024
/** Bytes are read as fast as the client takes them, which may be slow. */
const readTimeLimitMs = 60 * 60 * 1000

type Method = 'GET' | 'PUT' | 'POST' | 'DELETE' | 'HEAD'

interface S3Request {
  method: Method
  key: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Buffer
}

class S3Error extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string) {
    super(`the file store answered ${status} ${code}`)
    this.status = status
    this.code = code
  }
}

/** Files in a bucket of any S3-compatible store, addressed by path so that the bucket needs no DNS name. */
export function createS3Files(options: S3Options): FileStore {
  const { http, partBytes = 8 * 1024 * 1024, timeLimitMs = 60_000, retryDelayMs = 200 } = options
  const signingKeys = new Map<string, ArrayBuffer>()

  async function sign({ method, key, query = {}, headers = {}, body }: S3Request) {
    const url = new URL(`${options.endpoint.replace(/\/$/, '')}/${options.bucket}/${key}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const signed = await new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers, 'x-amz-content-sha256': sha256(body ?? '') },
      accessKeyId: options.accessKeyId,
      secretAccessKey: options.secretAccessKey,
      region: options.region,
      service: 's3',
      cache: signingKeys,
    }).sign()
    return { method, url: signed.url, headers: Object.fromEntries(signed.headers), body }
  }

  /** All of these are idempotent, so timeouts and overload are retried. */
  async function persist<Body>(
    request: S3Request,
    send: (signed: Awaited<ReturnType<typeof sign>>) => Promise<OutboundAnswer<Body>>,
  ) {
    for (let attempt = 1; ; attempt++) {
      const answer = await sign(request)
        .then(send)
        .catch((error) => {
          if (!(error instanceof OutboundError) || attempt === attempts) throw error
        })
      if (answer && ((answer.status < 500 && answer.status !== 429) || attempt === attempts)) return answer
      if (answer?.body instanceof Readable) answer.body.destroy()
      await wait(retryDelayMs * 2 ** attempt * (0.5 + Math.random()))
    }
  }

  async function call(request: S3Request): Promise<OutboundAnswer<Buffer>> {
    const answer = await persist(request, (signed) => http.fetch({ ...signed, timeLimitMs, maxBytes: maxAnswerBytes }))
    const code = element(answer.body, 'Code')
    // Completing an upload answers 200 before it is done, and may then report a failure in the body.
    if (answer.status >= 300 || (code && answer.body.includes('<Error>'))) throw new S3Error(answer.status, code ?? '')
    return answer
  }

  async function writeParts(key: string, parts: AsyncIterable<Buffer>): Promise<void> {
    const created = await call({ method: 'POST', key, query: { uploads: '' } })
    const uploadId = element(created.body, 'UploadId')
    if (!uploadId) throw new S3Error(created.status, 'without an UploadId')
    try {
      const etags: string[] = []
      let size = 0
      for await (const body of parts) {
        const query = { partNumber: String(etags.length + 1), uploadId }
        etags.push((await call({ method: 'PUT', key, query, body })).headers.etag ?? '')
        size += body.length
      }
      await complete(key, uploadId, etags, size)
    } catch (error) {
      // If this fails too, the bucket's lifecycle rule for incomplete uploads removes the parts.
      await call({ method: 'DELETE', key, query: { uploadId } }).catch(() => {})
      throw error
    }
  }

  async function complete(key: string, uploadId: string, etags: string[], size: number): Promise<void> {
    const parts = etags.map(
      (etag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escaped(etag)}</ETag></Part>`,
    )
    const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)
    try {
      await call({ method: 'POST', key, query: { uploadId }, headers: { 'content-type': 'application/xml' }, body })
    } catch (error) {
      // A retry does not find the upload if the first attempt completed it and its response was lost.
      if (!(error instanceof S3Error && error.code === 'NoSuchUpload')) throw error
      const { headers } = await call({ method: 'HEAD', key })
      if (Number(headers['content-length']) !== size) throw error
    }
  }

  return {
    async write(key, bytes) {
      checkKey(key)
      const hash = createHash('sha256')
      let size = 0
      const parts = inParts(bytes, partBytes, (chunk) => {
        hash.update(chunk)
        size += chunk.length
      })
      try {
        const first = await parts.next()
        const second = await parts.next()
        if (first.done || second.done) await call({ method: 'PUT', key, body: first.value ?? Buffer.alloc(0) })
        else await writeParts(key, startingWith([first.value, second.value], parts))
      } finally {
        await parts.return(undefined)
      }
      return { size, sha256: hash.digest('hex') }
    },
    async read(key, range) {
      checkKey(key)
      const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end}` } : {}
      const answer = await persist({ method: 'GET', key, headers }, (signed) =>
        http.stream({ ...signed, timeLimitMs: readTimeLimitMs, maxBytes: Number.POSITIVE_INFINITY }),
      )
      if (answer.status === (range ? 206 : 200)) return answer.body
      const { status, body } = answer
      const code = element(await firstBytes(body), 'Code') ?? ''
      throw isMissing(status, code) ? new FileMissing() : new S3Error(status, code)
    },
    async remove(key) {
      checkKey(key)
      try {
        await call({ method: 'DELETE', key })
      } catch (error) {
        if (!(error instanceof S3Error && isMissing(error.status, error.code))) throw error
      }
    },
  }
}

/** A missing bucket answers 404 too, and must not look like missing files. */
const isMissing = (status: number, code: string): boolean => status === 404 && (code === 'NoSuchKey' || code === '')

const sha256 = (body: Buffer | string): string => createHash('sha256').update(body).digest('hex')

/** Buffers of exactly `partBytes`, except the last one. */
async function* inParts(
  bytes: AsyncIterable<Buffer>,
  partBytes: number,
  see: (chunk: Buffer) => void,
): AsyncGenerator<Buffer, undefined> {
  let held: Buffer[] = []
  let size = 0
  for await (let chunk of bytes) {
    see(chunk)
    while (size + chunk.length >= partBytes) {
      const room = partBytes - size
      yield Buffer.concat([...held, chunk.subarray(0, room)])
      chunk = chunk.subarray(room)
      held = []
      size = 0
    }
    held.push(chunk)
    size += chunk.length
  }
  if (size > 0) yield Buffer.concat(held)
}

async function* startingWith(taken: Buffer[], rest: AsyncIterable<Buffer>) {
  yield* taken
  yield* rest
}

async function firstBytes(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size > 64 * 1024) break
  }
  return Buffer.concat(chunks)
}

/** The store's XML is flat enough to be read without a parser. */
function element(xml: Buffer, name: string): string | undefined {
  const found = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml.toString('utf8'))?.[1]
  return found?.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
