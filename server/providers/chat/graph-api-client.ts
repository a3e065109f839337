import type { Readable } from 'node:stream'
import { parseExactJson } from '../../platform/exact-json.ts'
import type { Log } from '../../platform/log.ts'
import type { OutboundAnswer, OutboundError, OutboundHttp, OutboundRequest } from '../../platform/outbound-fetch.ts'
import { ChatError } from './contract.ts'
import { chatErrorOf } from './graph-api-errors.ts'

export interface GraphApiOptions {
  /** May include a path, which precedes the version. */
  baseUrl: string
  /** For example `v19.0`. */
  version: string
  http: OutboundHttp
  log?: Pick<Log, 'warn'>
  /** Called after every response that names the API version that served it. */
  onServed?: (version: string) => void
  /** The time limit of a request, except for media uploads and downloads. */
  timeLimitMs?: number
  mediaTimeLimitMs?: number
  maxMediaBytes?: number
}

export type Json = Record<string, unknown>

interface GraphCall {
  method: 'GET' | 'POST' | 'DELETE'
  /** Object and edge; each segment is escaped separately. */
  path: string[]
  query?: Record<string, string | undefined>
  json?: Json
  /** Instead of `json`: bytes of another type. */
  upload?: { contentType: string; contentLength?: number; bytes: AsyncIterable<Uint8Array> }
  headers?: Record<string, string>
  /** How the token is presented; `Bearer` by default. */
  scheme?: 'Bearer' | 'OAuth'
  timeLimitMs?: number
  /** Whether the request is idempotent; see `Refusal`. */
  repeatable: boolean
  onWritten?: (() => void) | undefined
}

/** A client for one access token. */
export interface GraphClient {
  /** Returns the body of a successful response. Throws a `ChatError`. */
  call(call: GraphCall): Promise<Json>
  /** Downloads from a URL that the platform returned, with the token. The caller must have checked the host. */
  download(url: URL): Promise<OutboundAnswer<Readable>>
  options: Required<Omit<GraphApiOptions, 'log' | 'onServed'>>
}

/** Far above any real response: a hundred templates with all their components stay below 2 MB. */
const maxAnswerBytes = 16 * 1024 * 1024

export function createGraphClients(given: GraphApiOptions, closing: AbortSignal): (token: string) => GraphClient {
  const options = {
    // A member may be waiting for the response to a reply.
    timeLimitMs: 15_000,
    mediaTimeLimitMs: 300_000,
    // The platform's own limit for documents, its largest media type.
    maxMediaBytes: 100 * 1024 * 1024,
    ...given,
    baseUrl: given.baseUrl.replace(/\/+$/, ''),
  }
  const noteVersion = versionWatch(given)

  return (token) => {
    /** The only place where the token is added to a request. */
    const prepared = (request: Omit<OutboundRequest, 'signal'>, scheme = 'Bearer'): OutboundRequest => {
      if (!/^[\x21-\x7e]+$/.test(token)) throw unusableToken()
      return { ...request, headers: { ...request.headers, authorization: `${scheme} ${token}` }, signal: closing }
    }

    return {
      options,
      async call({ method, path, query = {}, json, upload, headers, scheme, repeatable, onWritten, ...more }) {
        const { timeLimitMs = options.timeLimitMs } = more
        const answer = await options.http.fetch(
          prepared(
            {
              url: addressOf(options, path, query),
              method,
              headers: { accept: 'application/json', ...contentHeaders(json, upload), ...headers },
              body: upload?.bytes ?? (json && JSON.stringify(json)),
              timeLimitMs,
              maxBytes: maxAnswerBytes,
              onWritten,
              explain: (error) => networkError(error, repeatable),
            },
            scheme,
          ),
        )
        noteVersion(answer.headers)
        const body = parsed(answer.body)
        const error = asObject(body?.error)
        if (body && !error && answer.status >= 200 && answer.status < 300) return body
        if (!error && answer.status < 300) throw badAnswer(repeatable, 'it is not JSON')
        throw chatErrorOf({ status: answer.status, headers: answer.headers, error, repeatable, token })
      },
      download: async (url) =>
        options.http.stream(
          prepared({
            url,
            timeLimitMs: options.mediaTimeLimitMs,
            maxBytes: options.maxMediaBytes,
            explain: (error) => networkError(error, true),
          }),
        ),
    }
  }
}

function addressOf({ baseUrl, version }: GraphApiOptions, path: string[], query: GraphCall['query']): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) search.set(name, value)
  const address = [baseUrl, version, ...path.map(segment)].join('/')
  return search.size > 0 ? `${address}?${search}` : address
}

/** Ids are entered by people: an empty one, or one of dots only, would change the path of the request. */
function segment(part: string): string {
  if (/^\.*$/.test(part))
    throw new ChatError({
      verdict: 'fail',
      scope: 'request',
      code: 'bad_id',
      subcode: null,
      message: `the platform has no object with the id "${part}"`,
      retryAfterMs: null,
    })
  // Ids of uploads contain these two, which need no escape in a path.
  return encodeURIComponent(part).replaceAll('%3A', ':').replaceAll('%3D', '=')
}

function contentHeaders(json: Json | undefined, upload: GraphCall['upload']): Record<string, string> {
  if (json) return { 'content-type': 'application/json' }
  if (!upload) return {}
  return {
    'content-type': upload.contentType,
    ...(upload.contentLength !== undefined && { 'content-length': String(upload.contentLength) }),
  }
}

/** Returns undefined if the body is not JSON. An empty body or a bare `true` counts as an empty object. */
function parsed(body: Buffer): Json | undefined {
  if (body.length === 0) return {}
  try {
    return asObject(parseExactJson(body.toString('utf8'))) ?? {}
  } catch {
    return undefined
  }
}

export const asObject = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined

/** Ids in responses are strings or numbers; we use strings. */
export const asId = (value: unknown): string | undefined =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined

export const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

export const asObjects = (value: unknown): Json[] =>
  Array.isArray(value) ? value.filter((each) => asObject(each) !== undefined) : []

/** A response that the platform does not document. For a send, it may hide a success. */
export const badAnswer = (repeatable: boolean, what: string): ChatError =>
  new ChatError({
    verdict: repeatable ? 'retry' : 'unknown',
    scope: 'request',
    code: 'bad_answer',
    subcode: null,
    message: `the platform's answer cannot be used: ${what}`,
    retryAfterMs: null,
  })

const unusableToken = (): ChatError =>
  new ChatError({
    verdict: 'token_expired',
    scope: 'account',
    code: 'bad_token',
    subcode: null,
    message: 'the access token holds characters that no token has',
    retryAfterMs: null,
  })

/** Maps a network error to a verdict, which depends on whether the platform can have received the request. */
function networkError(error: OutboundError, repeatable: boolean): ChatError {
  const facts = { scope: 'request' as const, subcode: null, message: error.message, retryAfterMs: null }
  if (error.fault === 'too_large')
    return new ChatError({ ...facts, verdict: repeatable ? 'fail' : 'unknown', code: 'too_large' }, error)
  const code = !error.sent ? 'unreachable' : error.fault === 'timeout' ? 'timeout' : 'no_answer'
  return new ChatError(
    {
      ...facts,
      verdict: repeatable || !error.sent ? 'retry' : 'unknown',
      code: error.fault === 'cancelled' && !error.sent ? 'closing' : code,
    },
    error,
  )
}

/** Warns once if the platform serves another version than the configured one, as it does after a version has ended. */
function versionWatch({ version, log, onServed }: GraphApiOptions) {
  let hasWarned = false
  return (headers: Record<string, string>) => {
    const served = headers['facebook-api-version']
    if (served && /^v\d+\.\d+$/i.test(served)) onServed?.(served.toLowerCase())
    if (hasWarned || !served || served.toLowerCase() === version.toLowerCase()) return
    hasWarned = true
    log?.warn({ asked: version, served }, 'chat platform: API version differs from the configured one')
  }
}
