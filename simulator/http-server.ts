import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { guardHttpServer } from '../server/platform/guard-listeners.ts'
import { createServer } from '../server/platform/http-module.ts'
import type { Log } from '../server/platform/log.ts'
import { unavailable } from '../server/platform/unavailable.ts'
import { isCarrierPath } from './carrier/carrier-routes.ts'
import type { Carrier } from './carrier/create-carrier.ts'
import { ControlFault, type ControlRequest } from './control-routes.ts'
import { type GraphRequest, type GraphRoutes, parseBody } from './graph-routes.ts'
import type { KnobBoard } from './knobs.ts'
import { largestUpload, type Media } from './media.ts'
import type { Numbers } from './numbers.ts'
import { pageFile } from './page.ts'
import { Refusal, unknownObject } from './refusals.ts'

interface ServerDependencies {
  graph: GraphRoutes
  control(request: ControlRequest): Promise<unknown>
  knobs: KnobBoard
  media: Media
  numbers: Numbers
  carrier: Carrier
  log: Log
  controlToken: string | undefined
}

const graphPath = /^\/(v(\d+)\.\d+)\/([^/]+)(?:\/([^/]+))?\/?$/
const mediaPath = /^\/media\/(\d+)$/
const edges: Record<string, 'messages' | 'templates' | 'media'> = {
  messages: 'messages',
  marketing_messages: 'messages',
  message_templates: 'templates',
  message_template_library: 'templates',
  media: 'media',
  uploads: 'media',
}
const noQuery = new URLSearchParams()

/** Plain node:http: at the other end of a benchmark, every layer is one that the benchmark measures too. */
export function createSimulatorServer(deps: ServerDependencies): Server {
  const { graph, control, knobs, media, numbers, carrier, log } = deps

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = request.url ?? '/'
    const question = url.indexOf('?')
    const path = question < 0 ? url : url.slice(0, question)
    const query = question < 0 ? noQuery : new URLSearchParams(url.slice(question + 1))
    const call = graphPath.exec(path)
    if (call) return answerGraph(call, query, request, response)
    if (isCarrierPath(path)) return carrier.answer(request, response, url, () => readText(request))
    const file = mediaPath.exec(path)
    if (file) return download(file[1] as string, query, request, response)
    if (path === '/simulator' || path.startsWith('/simulator/')) return answerControl(path, query, request, response)
    const page = request.method === 'GET' && isAtHome(request) ? pageFile(path) : undefined
    if (!page) return sendJson(response, 404, JSON.stringify({ detail: 'Not Found' }))
    response.writeHead(200, page.headers).end(page.content)
  }

  async function answerGraph(
    [, versionName = '', version = '', id = '', edge = '']: RegExpExecArray,
    query: URLSearchParams,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const broken = knobs.outageFor(
      edges[edge] ?? (id.startsWith('upload') ? 'media' : edge === '' ? 'templates' : 'other'),
    )
    if (broken === 'refuse') return void request.socket.destroy()
    if (broken === 'timeout') return void (await readText(request).catch(() => {}))
    if (broken === 'error') {
      response.writeHead(503, { 'content-type': 'text/html' }).end('<html>Sorry, something went wrong.</html>')
      return
    }
    const { error_rate, error_code } = knobs.of()
    if (error_rate > 0 && Math.random() < error_rate) throw new Refusal(error_code, '')
    const what = decoded(id)
    const answered =
      edges[edge] === 'messages' && request.method === 'POST'
        ? await graph.send(what, tokenOf(request), Number(version), await readText(request), edge !== 'messages')
        : await graph.answer(what, edge, graphRequest(request, query, versionName, Number(version)))
    if (broken === 'lost_answer') return void request.socket.destroy()
    if (broken === 'false_error') throw new Refusal(131000, 'Message failed to send because of an unknown error')
    // Accepted without a response: the client waits until it times out.
    if (answered === undefined) return
    const text = typeof answered === 'string' ? answered : JSON.stringify(answered)
    sendJson(response, 200, text, versionName)
  }

  async function download(id: string, query: URLSearchParams, request: IncomingMessage, response: ServerResponse) {
    if (knobs.outageFor('media')) return void request.socket.destroy()
    const token = tokenOf(request)
    await numbers.requireToken(token)
    const { account, mimeType, bytes } = await media.fetch(id, query)
    if (!(await numbers.mayUse(token, account))) throw unknownObject(id)
    response.writeHead(200, { 'content-type': mimeType, 'content-length': bytes.length }).end(bytes)
  }

  async function answerControl(
    path: string,
    query: URLSearchParams,
    request: IncomingMessage,
    response: ServerResponse,
  ) {
    if (!mayControl(request)) return sendJson(response, 403, JSON.stringify({ detail: forbidden }))
    const { method = 'GET' } = request
    // A foreign web page can post forms and plain text here, but not JSON.
    if (method !== 'GET' && method !== 'DELETE' && !/^application\/json\b/.test(request.headers['content-type'] ?? ''))
      return sendJson(response, 415, JSON.stringify({ detail: 'The body must be application/json' }))
    const body = async () => parseBody(await readText(request)) as Record<string, unknown>
    const answered = await control({ method, path: path.slice('/simulator'.length), query, body })
    sendJson(response, 200, JSON.stringify(answered))
  }

  function mayControl(request: IncomingMessage): boolean {
    const given = Buffer.from(tokenOf(request) ?? '')
    const needed = Buffer.from(deps.controlToken ?? '')
    return isAtHome(request) || (needed.length > 0 && given.length === needed.length && timingSafeEqual(given, needed))
  }

  const server = createServer({ keepAliveTimeout: 72_000, requestTimeout: 300_000 }, (request, response) => {
    answer(request, response).catch((error) => {
      if (response.headersSent || response.destroyed) return
      if (error instanceof Refusal) return sendJson(response, error.status, error.body())
      if (error instanceof ControlFault)
        return sendJson(response, error.status, JSON.stringify({ detail: error.detail }))
      log.error({ err: error }, 'simulator: request failed')
      if (unavailable(error)) return sendJson(response, 503, new Refusal(131016, 'Service unavailable').body())
      sendJson(response, 500, new Refusal(131000, 'The simulator itself failed').body())
    })
  })
  guardHttpServer(server, log)
  return server
}

const forbidden = 'Only this machine, or whoever knows the control token, may turn the knobs'
const loopback = /^(::1|(::ffff:)?127\.)/
const homeHosts = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i

/**
 * Only from this machine, and with a host name that means this machine: protects against DNS rebinding by a foreign
 * page.
 */
const isAtHome = ({ socket, headers }: IncomingMessage): boolean =>
  loopback.test(socket.remoteAddress ?? '') && homeHosts.test(headers.host ?? '')

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw unknownObject(text)
  }
}

function tokenOf({ headers }: IncomingMessage): string | undefined {
  const given = headers.authorization
  return given?.startsWith('Bearer ') || given?.startsWith('OAuth ') ? given.slice(given.indexOf(' ') + 1) : undefined
}

function sendJson(response: ServerResponse, status: number, text: string, version?: string): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=UTF-8',
    'content-length': Buffer.byteLength(text),
    ...(version && { 'facebook-api-version': version }),
  })
  response.end(text)
}

function graphRequest(
  request: IncomingMessage,
  query: URLSearchParams,
  versionName: string,
  version: number,
): GraphRequest {
  const bytes = () => readBytes(request, largestUpload + 1024 * 1024)
  return {
    method: request.method ?? 'GET',
    token: tokenOf(request) ?? query.get('access_token') ?? undefined,
    version,
    versionName,
    origin: `http://${request.headers.host}`,
    query,
    chunks: request,
    header: (name) => request.headers[name]?.toString(),
    body: async () => parseBody(await readText(request)) as Record<string, unknown>,
    async form() {
      const body = await bytes()
      const headers = { 'content-type': request.headers['content-type'] ?? '' }
      return new Response(new Uint8Array(body), { headers }).formData().catch(() => {
        throw new Refusal(100, 'The body is not a valid form')
      })
    },
  }
}

const readText = async (request: IncomingMessage): Promise<string> =>
  (await readBytes(request, 32 * 1024 * 1024)).toString()

function readBytes(request: IncomingMessage, most: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > most) return reject(new Refusal(131053, `The body has more than ${most} bytes`))
      chunks.push(chunk)
    })
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)))
    request.on('error', reject)
  })
}
