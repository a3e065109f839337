import type { Socket } from 'node:net'
import cookie from '@fastify/cookie'
import cors from '@fastify/cors'
import compileSerializer from 'fast-json-stringify'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { AppError } from '../errors.ts'
import { guardHttpServer } from '../guard-listeners.ts'
import { newId } from '../ids.ts'
import type { Log } from '../log.ts'
import { createErrorAnswers, misdirected } from './error-answers.ts'
import type { ErrorShape } from './error-shape.ts'
import { acceptJson, refuseUnstorable } from './json-body.ts'
import { prefix } from './routes.ts'
import { compileValidator } from './validation.ts'

interface ServerOptions {
  log: Log
  corsOrigins: string[]
  /** Headers that pages of other origins may send, besides those of every request. */
  requestHeaders: string[]
  errorShapes: ErrorShape[]
  trustProxy: boolean
  /** Host names that are served; undefined serves any. */
  allowedHosts: ReadonlySet<string> | undefined
  /** Paths that are served under any host name: balancers, kubelets and Prometheus send requests by IP address. */
  probes: ReadonlySet<string>
  secure: boolean
  /** Answers an unknown path with a page, for browsers; undefined leaves it to the plain 404. */
  missingPage?: MissingPage
}

type MissingPage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined

const saneRequestId = /^[\w.:/+=@-]{1,128}$/

/** A Fastify instance with our request ids, error shapes, limits and headers, and no routes yet. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const headers = securityHeaders(options)
  // A browser that is led to an address of the API saves the response instead of rendering it.
  const apiHeaders = { ...headers, 'content-disposition': 'attachment; filename="api.json"' }
  const headersOf = (url: string) => (url.startsWith(prefix) ? apiHeaders : headers)
  const answerError = createErrorAnswers(options.errorShapes)
  const app = Fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // Trusts one proxy: what a client wrote into these headers itself comes before what the proxy appended.
    trustProxy: options.trustProxy && ((_address, hop) => hop === 0),
    bodyLimit: 1024 * 1024,
    // Longer than any body of ours needs, short enough to stop slow-body attacks.
    requestTimeout: 300_000,
    keepAliveTimeout: 72_000,
    routerOptions: { maxParamLength: 500 },
    genReqId: (request) => {
      const given = request.headers['x-request-id']
      return typeof given === 'string' && saneRequestId.test(given) ? given : newId()
    },
    // URLs that cannot be parsed, or are longer than any of ours, get 404. No hook has run for them.
    frameworkErrors: (error, request, reply) => {
      reply.headers(headersOf(request.url)).header('x-request-id', request.id)
      const known = error.statusCode && error.statusCode < 500 ? new AppError(404, 'Not Found') : error
      answerError(known, request as never, reply as never)
    },
    clientErrorHandler: (error, socket) => refuseMalformedRequest(error, socket, headers),
    // A request that comes while the server closes, on a connection that is still open, is served like any other.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  })
  guardHttpServer(app.server, options.log)
  app.setValidatorCompiler(compileValidator)
  app.setSerializerCompiler(({ schema }) => {
    // Like the validators: compiled at the first response that needs it.
    let serialize: ((answer: unknown) => string) | undefined
    return (answer) => {
      serialize ??= compileSerializer(schema as never) as (answer: unknown) => string
      return serialize(answer)
    }
  })
  app.setErrorHandler(answerError)
  acceptJson(app)

  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headersOf(request.url))
    reply.header('x-request-id', request.id)
    const { allowedHosts, probes } = options
    if (
      allowedHosts &&
      !allowedHosts.has(request.hostname.toLowerCase()) &&
      !probes.has(request.url.split('?', 1)[0] as string)
    ) {
      void reply.code(421).send({ detail: misdirected })
      return
    }
    if (request.url.includes('%00') || /%ed%[ab]/i.test(request.url)) {
      try {
        refuseUnstorable(request.query, 'query')
      } catch (error) {
        done(error as Error)
        return
      }
    }
    done()
  })

  await app.register(cookie)
  if (options.corsOrigins.length > 0)
    await app.register(cors, {
      origin: options.corsOrigins.includes('*') ? '*' : options.corsOrigins,
      credentials: false,
      // Fastify would refuse an OPTIONS that is no preflight with a message and shape that are not ours.
      strictPreflight: false,
      methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      allowedHeaders: [
        'authorization',
        'content-type',
        'idempotency-key',
        'organization_id',
        'x-mode',
        'x-organization-id',
        'x-request-id',
        ...options.requestHeaders,
      ].sort(),
      exposedHeaders: [
        'x-request-id',
        'retry-after',
        'ratelimit-limit',
        'ratelimit-remaining',
        'ratelimit-reset',
        'idempotent-replayed',
        'www-authenticate',
      ],
      maxAge: 86_400,
    })
  answerUnknownRoutes(app, options.missingPage)
  return app
}

const securityHeaders = ({ corsOrigins, secure }: ServerOptions): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': corsOrigins.length > 0 ? 'cross-origin' : 'same-origin',
  'cache-control': 'no-store',
  ...(secure && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
})

/**
 * Bytes that are not HTTP, or incomplete after the timeout, never become a request: the response is written to the raw
 * socket.
 */
function refuseMalformedRequest(
  { code }: Error & { code?: string },
  socket: Socket,
  headers: Record<string, string>,
): void {
  if (code !== 'ECONNRESET' && socket.writable) {
    const [status, detail] = malformed[code ?? ''] ?? ['400 Bad Request', 'The request is not valid HTTP']
    const body = JSON.stringify({ detail })
    const lines = Object.entries({
      ...headers,
      connection: 'close',
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'x-request-id': newId(),
    }).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`)
  }
  socket.destroySoon()
}

const malformed: Record<string, [status: string, detail: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive'],
}

/** 404 for unknown paths, 405 with `Allow` for methods that a path does not support. */
function answerUnknownRoutes(app: FastifyInstance, missingPage?: MissingPage): void {
  const paths: { pattern: RegExp; methods: Set<string> }[] = []
  const byUrl = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    let methods = byUrl.get(url)
    if (!methods) {
      methods = new Set()
      byUrl.set(url, methods)
      const source = url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')
      paths.push({ pattern: new RegExp(`^${source.replaceAll('\\*', '.*')}$`), methods })
    }
    for (const each of [method].flat()) methods.add(each)
  })
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] as string
    const methods = new Set(paths.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => [...methods]))
    if (methods.size === 0 || methods.has(request.method))
      return missingPage?.(request, reply) ?? reply.code(404).send({ detail: 'Not Found' })
    return reply
      .code(405)
      .header('allow', [...methods].sort().join(', '))
      .send({ detail: 'Method Not Allowed' })
  })
}
