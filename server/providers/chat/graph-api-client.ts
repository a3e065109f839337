import type { Readable } from 'node:stream'
import { parseExactJson } from '../../platform/exact-json.ts'
import type { Log } from '../../platform/log.ts'
import type { OutboundAnswer, OutboundError, OutboundHttp, OutboundRequest } from '../../platform/outbound-fetch.ts'
import { ChatError } from './contract.ts'
import { chatErrorOf } from './graph-api-errors.ts'

export interface GraphApiOptions {
  /** May have a path of its own, which comes before the version. */
  baseUrl: string
  /** As `v19.0`. */
  version: string
  http: OutboundHttp
  log?: Pick<Log, 'warn'>
  /** Called with the version that served, after every answer that names one. */
  onServed?: (version: string) => void
  /** How long a request may take, uploads and downloads of media apart. */
  timeLimitMs?: number
  mediaTimeLimitMs?: number
  maxMediaBytes?: number
}

export type Json = Record<string, unknown>

export interface GraphCall {
  method: 'GET' | 'POST' | 'DELETE'
  /** Object and edge, each escaped on its own. */
  path: string[]
  query?: Record<string, string | undefined>
  json?: Json
  /** In place of `json`: bytes of another type. */
  upload?: { contentType: string; contentLength?: number; bytes: AsyncIterable<Uint8Array> }
  timeLimitMs?: number
  /** Doing it twice does no harm; see `Refusal`. */
  repeatable: boolean
}

/** Speaks for one token. */
export interface GraphClient {
  /** The body of a successful answer. Throws a `ChatError`. */
  call(call: GraphCall): Promise<Json>
  /** Bytes from an address that the platform gave, with the token; whoever calls has checked the address. */
  download(url: URL): Promise<OutboundAnswer<Readable>>
  options: Required<Omit<GraphApiOptions, 'log' | 'onServed'>>
}

/** Far more than any answer: a hundred templates with all their components stay below 2 MB. */
const maxAnswerBytes = 16 * 1024 * 1024

export function createGraphClients(given: GraphApiOptions, closing: AbortSignal): (token: string) => GraphClient {
  const options = {
    // Somebody may be waiting for the answer to a reply.
    timeLimitMs: 15_000,
    mediaTimeLimitMs: 300_000,
    // The platform's own limit for a document, its largest kind.
    maxMediaBytes: 100 * 1024 * 1024,
    ...given,
    baseUrl: given.baseUrl.replace(/\/+$/, ''),
  }
  const noteVersion = versionWatch(given)

  return (token) => {
    /** The token goes with every request, so it is put in here and nowhere else. */
    const prepared = (request: Omit<OutboundRequest, 'signal'>): OutboundRequest => {
      if (!/^[\x21-\x7e]+$/.test(token)) throw unusableToken()
      return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` }, signal: closing }
    }

    return {
      options,
      async call({ method, path, query = {}, json, upload, timeLimitMs = options.timeLimitMs, repeatable }) {
        const answer = await options.http.fetch(
          prepared({
            url: addressOf(options, path, query),
            method,
            headers: { accept: 'application/json', ...contentHeaders(json, upload) },
            body: upload?.bytes ?? (json && JSON.stringify(json)),
            timeLimitMs,
            maxBytes: maxAnswerBytes,
            explain: (error) => networkError(error, repeatable),
          }),
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

/** Ids are typed by people: one that is nothing but dots, or nothing at all, would ask for something else. */
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
  return encodeURIComponent(part)
}

function contentHeaders(json: Json | undefined, upload: GraphCall['upload']): Record<string, string> {
  if (json) return { 'content-type': 'application/json' }
  if (!upload) return {}
  return {
    'content-type': upload.contentType,
    ...(upload.contentLength !== undefined && { 'content-length': String(upload.contentLength) }),
  }
}

/** Undefined for what is not JSON. Nothing, or a bare `true`, is as good as an empty object: it carries no member. */
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

/** Something of an answer that is an id there, be it text or number, and text here. */
export const asId = (value: unknown): string | undefined =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined

export const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

export const asObjects = (value: unknown): Json[] =>
  Array.isArray(value) ? value.filter((each) => asObject(each) !== undefined) : []

/** An answer that is not what the platform promises: for a send it may hide a success. */
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

/** What the network did, told apart by whether the platform can have seen the request. */
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

/** Says once that another version serves than the one that was asked for, as happens when a version has reached its end. */
function versionWatch({ version, log, onServed }: GraphApiOptions) {
  let told = false
  return (headers: Record<string, string>) => {
    const served = headers['facebook-api-version']
    if (served && /^v\d+\.\d+$/i.test(served)) onServed?.(served.toLowerCase())
    if (told || !served || served.toLowerCase() === version.toLowerCase()) return
    told = true
    log?.warn({ asked: version, served }, 'the chat platform serves another version of its API than was asked for')
  }
}
