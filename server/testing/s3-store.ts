import { createHash, createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { listenLocally } from './listen-locally.ts'

/**
 * A bucket that verifies every signature with its own implementation (AWS Signature Version 4), and stores bytes in
 * memory.
 */
interface S3Store {
  endpoint: string
  objects: Map<string, Buffer>
  /** Parts of uploads that were neither completed nor aborted. */
  uploads: Map<string, Map<number, Buffer>>
  /** The requests, as `PUT key?query`. */
  asked: string[]
  /**
   * Called before a request is processed: its result is the response, or `lost` processes the request and sends no
   * response.
   */
  interfere: ((asked: string) => { status: number; code: string } | 'lost' | undefined) | undefined
}

export const s3Keys = { region: 'eu-test-1', accessKeyId: 'AKIDTEST', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPx' }
export const s3Bucket = 'desk-files'

const hash = (data: Buffer | string) => createHash('sha256').update(data).digest('hex')
const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest()
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

function faultInSignature(request: IncomingMessage, url: URL, body: Buffer): string | undefined {
  const { authorization = '' } = request.headers
  const parts = /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
    authorization,
  )
  if (!parts) return 'AccessDenied'
  const [, credential = '', signedHeaders = '', signature] = parts
  const [keyId, day = '', region = '', service = '', end] = credential.split('/')
  const time = String(request.headers['x-amz-date'])
  if (keyId !== s3Keys.accessKeyId) return 'InvalidAccessKeyId'
  if (region !== s3Keys.region || service !== 's3' || end !== 'aws4_request') return 'AuthorizationHeaderMalformed'
  const at = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(Math.abs(Date.now() - at) < 15 * 60_000) || !time.startsWith(day)) return 'RequestTimeTooSkewed'
  const names = signedHeaders.split(';')
  if (!names.includes('host') || !names.includes('x-amz-content-sha256')) return 'AccessDenied'
  if (request.headers['x-amz-content-sha256'] !== hash(body)) return 'XAmzContentSHA256Mismatch'
  const query = [...url.searchParams].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).sort()
  const canonical = [
    request.method,
    url.pathname,
    query.join('&'),
    ...names.map((name) => `${name}:${String(request.headers[name]).trim()}`),
    '',
    signedHeaders,
    hash(body),
  ].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', time, `${day}/${region}/s3/aws4_request`, hash(canonical)].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>(hmac, `AWS4${s3Keys.secretAccessKey}`)
  return hmac(key, toSign).toString('hex') === signature ? undefined : 'SignatureDoesNotMatch'
}

interface S3Answer {
  status: number
  headers?: Record<string, string>
  body?: Buffer | string
}

const refuse = (status: number, code: string): S3Answer => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no &amp; no</Message></Error>`,
})

export async function startS3Store(): Promise<S3Store> {
  const store: S3Store = { endpoint: '', objects: new Map(), uploads: new Map(), asked: [], interfere: undefined }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk)
    } catch {
      return
    }
    const url = new URL(request.url ?? '/', store.endpoint)
    const body = Buffer.concat(chunks)
    const asked = `${request.method} ${url.pathname.split('/').slice(2).join('/')}${url.search}`
    store.asked.push(asked)
    const fault = faultInSignature(request, url, body)
    const odd = fault ? undefined : store.interfere?.(asked)
    const answer = fault
      ? refuse(403, fault)
      : odd && odd !== 'lost'
        ? refuse(odd.status, odd.code)
        : carryOut(store, request, url, body)
    if (odd === 'lost') response.socket?.destroy()
    else response.writeHead(answer.status, answer.headers).end(request.method === 'HEAD' ? undefined : answer.body)
  })
  const { url } = await listenLocally(server)
  store.endpoint = url
  return store
}

function carryOut({ objects, uploads }: S3Store, request: IncomingMessage, url: URL, body: Buffer): S3Answer {
  const [, bucket, ...path] = url.pathname.split('/')
  const key = path.join('/')
  const uploadId = url.searchParams.get('uploadId')
  const parts = uploads.get(uploadId ?? '')
  if (bucket !== s3Bucket) return refuse(404, 'NoSuchBucket')
  if (uploadId !== null && !parts) return refuse(404, 'NoSuchUpload')
  switch (request.method) {
    case 'PUT':
      if (parts) parts.set(Number(url.searchParams.get('partNumber')), body)
      else objects.set(key, body)
      return { status: 200, headers: { ETag: `"${hash(body).slice(0, 32)}"` } }
    case 'POST': {
      if (parts && uploadId) return complete(objects, uploads, uploadId, key, body.toString())
      const id = `${randomUUID()}&<>`
      uploads.set(id, new Map())
      const shown = id.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
      return {
        status: 200,
        body: `<InitiateMultipartUploadResult><UploadId>${shown}</UploadId></InitiateMultipartUploadResult>`,
      }
    }
    case 'DELETE':
      if (uploadId) uploads.delete(uploadId)
      else objects.delete(key)
      return { status: 204 }
    default:
      return readObject(objects.get(key), request.headers.range)
  }
}

function complete(
  objects: S3Store['objects'],
  uploads: S3Store['uploads'],
  id: string,
  key: string,
  xml: string,
): S3Answer {
  const parts = uploads.get(id) ?? new Map<number, Buffer>()
  const listed = [...xml.matchAll(/<Part><PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)<\/ETag><\/Part>/g)]
  const wanted = listed.map(([, number, etag]) => ({
    bytes: parts.get(Number(number)),
    etag: etag?.replaceAll('&quot;', '"'),
  }))
  const right = wanted.every(({ bytes, etag }) => bytes && etag === `"${hash(bytes).slice(0, 32)}"`)
  // Like S3: the status is sent before it is known whether the parts are valid.
  if (!right || wanted.length === 0) return { ...refuse(200, 'InvalidPart') }
  objects.set(key, Buffer.concat(wanted.map(({ bytes }) => bytes ?? Buffer.alloc(0))))
  uploads.delete(id)
  return { status: 200, body: '<CompleteMultipartUploadResult/>' }
}

function readObject(found: Buffer | undefined, range: string | undefined): S3Answer {
  if (!found) return refuse(404, 'NoSuchKey')
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
  if (start === undefined) return { status: 200, headers: { 'content-length': String(found.length) }, body: found }
  if (Number(start) >= found.length) return refuse(416, 'InvalidRange')
  return { status: 206, body: found.subarray(Number(start), Number(end) + 1) }
}
