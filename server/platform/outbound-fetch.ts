import { Readable } from 'node:stream'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import { createAddressGuard, ForbiddenAddress } from './address-guard.ts'
import { forSockets, type HostLookup, lookUpBySystem, shareLookups } from './host-lookup.ts'
import { onAbort } from './on-abort.ts'
import { currentSpan } from './tracing/trace.ts'
import { type RequestBody, watched } from './watched-body.ts'

export interface OutboundRequest {
  url: string | URL
  method?: Dispatcher.HttpMethod
  headers?: Record<string, string>
  body?: RequestBody | undefined
  /** From the call to the last byte of the response, including the wait for a connection. */
  timeLimitMs: number
  /** Maximum size of the response. */
  maxBytes: number
  /**
   * For callers that need only the status: once the response has begun, exceeding the size or time limit truncates it
   * and is no failure.
   */
  cutOff?: boolean
  /** For URLs supplied by customers: the internal network is blocked. */
  guarded?: boolean
  signal?: AbortSignal | undefined
  /** Called when a connection was found and the request is being written to it. */
  onWritten?: (() => void) | undefined
  /** Error to throw instead of an `OutboundError`. */
  explain?: (error: OutboundError) => Error
}

export interface OutboundAnswer<Body> {
  status: number
  /** Names in lower case; repeated headers are joined by a comma. */
  headers: Record<string, string>
  body: Body
}

/**
 * - `forbidden`: the address guard refused.
 * - `unreachable`: no connection was established.
 * - `timeout`: the time limit passed.
 * - `broken`: the connection ended, or sent something other than HTTP, before the response was complete.
 * - `too_large`: the response exceeded its size limit.
 * - `cancelled`: by the caller's own signal.
 */
type OutboundFault = 'forbidden' | 'unreachable' | 'timeout' | 'broken' | 'too_large' | 'cancelled'

export class OutboundError extends Error {
  readonly fault: OutboundFault
  /** False: the remote side certainly never saw the request. True: it may have seen and processed it. */
  readonly sent: boolean
  constructor(fault: OutboundFault, sent: boolean, host: string, cause?: unknown) {
    super(`${host}: ${explanations[fault]}`, { cause })
    this.fault = fault
    this.sent = sent
  }
}

const explanations: Record<OutboundFault, string> = {
  forbidden: 'an address of this machine or its network, which may not be called',
  unreachable: 'no connection could be made',
  timeout: 'no complete answer within the time limit',
  broken: 'the connection ended before the answer was complete',
  too_large: 'the answer is longer than allowed',
  cancelled: 'the request was cancelled',
}

/** Outgoing HTTP: every request has time and size limits, and redirects are returned, never followed. */
export interface OutboundHttp {
  /**
   * The whole response in memory, whatever its status. Throws an `OutboundError`, or the error of the body's source.
   */
  fetch(request: OutboundRequest): Promise<OutboundAnswer<Buffer>>
  /** The response as a stream: the body must be read or destroyed, and fails like the request itself. */
  stream(request: OutboundRequest): Promise<OutboundAnswer<Readable>>
  /** Whether the URL contains a literal address that a guarded request would refuse. */
  isForbiddenAddress(url: string | URL): boolean
  /** Aborts requests in flight. */
  close(): Promise<void>
}

export interface OutboundOptions {
  /** Hosts, addresses and ranges that a guarded request may call despite the block list. */
  allow?: string[]
  connectTimeoutMs?: number
  /** Further requests to the same origin wait for one of these connections. */
  connectionsPerOrigin?: number
  /** DNS servers for names that customers choose, in place of the system's. */
  dnsServers?: string[]
  /** For tests: resolves the names of guarded requests. */
  lookup?: HostLookup
}

export function createOutboundHttp(options: OutboundOptions = {}): OutboundHttp {
  const { connectTimeoutMs = 5_000, connectionsPerOrigin = 256 } = options
  const guard = createAddressGuard(options)
  // HTTP/1.1 only: it is known exactly whether a request was sent, and a lost connection loses one response.
  const shared = { connections: connectionsPerOrigin, pipelining: 1, allowH2: false }
  const lookup = forSockets(shareLookups(lookUpBySystem))
  const open = new Agent({ ...shared, connect: { timeout: connectTimeoutMs, allowH2: false, lookup } })
  const connect = buildConnector({ timeout: connectTimeoutMs, allowH2: false, lookup: guard.lookup })
  const guarded = new Agent({
    ...shared,
    connect(target, callback) {
      try {
        guard.checkHost(target.hostname)
      } catch (error) {
        return callback(error as Error, null)
      }
      connect(target, callback)
    },
  })
  const agentFor = (request: OutboundRequest) => (request.guarded ? guarded : open)

  return {
    fetch: (request) =>
      new Promise((resolve, reject) => {
        exchange(agentFor(request), request, (status, headers) => {
          const chunks: Buffer[] = []
          return {
            data: (chunk) => {
              chunks.push(chunk)
              return true
            },
            end: () => resolve({ status, headers, body: Buffer.concat(chunks) }),
          }
        }).catch(reject)
      }),
    stream: (request) =>
      new Promise((resolve, reject) => {
        exchange(agentFor(request), request, (status, headers, control) => {
          const body = new Readable({
            read: control.resume,
            destroy(error, callback) {
              control.abandon()
              callback(error)
            },
          })
          // An error before the body is read is kept for the reader; without this listener it would be uncaught and end
          // the process.
          body.on('error', () => {})
          resolve({ status, headers, body })
          return {
            data: (chunk) => body.push(chunk),
            end: () => body.push(null),
            fail: (error) => body.destroy(error),
          }
        }).catch(reject)
      }),
    isForbiddenAddress: guard.isForbiddenAddress,
    async close() {
      await Promise.all([open.destroy(), guarded.destroy()])
    },
  }
}

/** Receives the bytes of a response. */
interface Sink {
  /** Returns false to apply back-pressure. */
  data(chunk: Buffer): boolean
  end(): void
  /** Without it, a failure in the middle rejects the request. */
  fail?(error: Error): void
}

type OpenSink = (status: number, headers: Record<string, string>, control: { resume(): void; abandon(): void }) => Sink

/** One request on the wire. Rejects when it fails before it has a sink to report to. */
function exchange(agent: Agent, request: OutboundRequest, openSink: OpenSink): Promise<void> {
  return new Promise((resolve, reject) => {
    const url = typeof request.url === 'string' ? new URL(request.url) : request.url
    const { method = 'GET' } = request
    // The path and the query may contain tokens.
    const span = currentSpan()?.child(`${method} ${url.host}`, {
      kind: 'client',
      attributes: { 'http.request.method': method, 'server.address': url.hostname, 'server.port': portOf(url) },
    })
    let status: number | undefined
    const body = watched(request.body)
    let controller: Dispatcher.DispatchController | undefined
    let sink: Sink | undefined
    let received = 0
    let ended = false
    let stopListening: (() => void) | undefined

    const finish = (errorType?: string) => {
      if (ended) return false
      ended = true
      span?.end(
        { 'http.response.status_code': status },
        errorType ?? (status && status >= 400 ? `${status}` : undefined),
      )
      clearTimeout(timer)
      stopListening?.()
      return true
    }
    const fail = (error: unknown, errorType = 'failed') => {
      if (!finish(errorType)) return
      // Before the request has started there is no controller: `onRequestStart` then refuses to begin.
      controller?.abort(error as Error)
      if (sink?.fail) sink.fail(error as Error)
      else reject(error)
    }
    const failWith = (fault: OutboundFault, cause?: unknown) => {
      const error = new OutboundError(fault, controller !== undefined, url.host, cause)
      fail(request.explain?.(error) ?? error, fault)
    }
    const cancel = () => failWith('cancelled', request.signal?.reason)
    /** The response is truncated here and its connection closed. */
    const cutOff = () => {
      if (!finish()) return
      controller?.abort(new Error('response truncated at its limit'))
      sink?.end()
      resolve()
    }
    // Node runs timers before socket events: after a pause of the whole process the response may have arrived already,
    // and is read first.
    const timer = setTimeout(
      () => setImmediate(() => (request.cutOff && sink ? cutOff() : failWith('timeout'))),
      request.timeLimitMs,
    )
    if (request.signal?.aborted) return cancel()
    if (request.signal) stopListening = onAbort(request.signal, cancel)

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        if (ended) return started.abort(new Error('request already ended'))
        controller = started
        request.onWritten?.()
      },
      onResponseStart(running, given, headers) {
        if (given < 200 || ended) return
        status = given
        if (Number(headers['content-length']) > request.maxBytes && !request.cutOff) return failWith('too_large')
        sink = openSink(given, plainHeaders(headers), {
          resume: () => running.resume(),
          abandon: () => {
            if (finish()) running.abort(new Error('response body destroyed by its reader'))
          },
        })
      },
      onResponseData(running, chunk) {
        if (ended || !sink) return
        received += chunk.length
        if (received <= request.maxBytes) {
          if (!sink.data(chunk)) running.pause()
        } else if (request.cutOff) {
          sink.data(chunk.subarray(0, chunk.length - (received - request.maxBytes)))
          cutOff()
        } else failWith('too_large')
      },
      onResponseEnd() {
        if (!finish()) return
        sink?.end()
        resolve()
      },
      onResponseError(_running, error) {
        if (request.cutOff && sink) return cutOff()
        if (body.failed) return fail(body.error)
        if (error instanceof ForbiddenAddress) return failWith('forbidden', error)
        failWith(controller ? 'broken' : 'unreachable', error)
      },
    }
    try {
      agent.dispatch(
        {
          origin: url.origin,
          path: url.pathname + url.search,
          method,
          headers: { 'accept-encoding': 'identity', ...request.headers },
          body: body.content as Exclude<Dispatcher.DispatchOptions['body'], undefined>,
          // The one time limit above covers all of these.
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        handler,
      )
    } catch (error) {
      fail(error)
    }
  })
}

const portOf = ({ port, protocol }: URL) => Number(port) || (protocol === 'https:' ? 443 : 80)

function plainHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const plain: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) plain[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value
  }
  return plain
}
