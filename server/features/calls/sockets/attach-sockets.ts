import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Log } from '../../../platform/log.ts'
import { startStream } from '../../../providers/telephony/twilio-media-stream.ts'
import type { Holder } from '../holding/create-holder.ts'
import { openWebLine } from './web-line.ts'

export interface SocketDependencies {
  holder: Holder
  log: Log
  /** Host names that are answered; undefined answers to any. */
  allowedHosts: ReadonlySet<string> | undefined
  /** Pages that browsers may call from, besides our own. */
  corsOrigins: string[]
}

const mediaPath = /^\/hooks\/voice\/[0-9a-f-]{36}\/media$/
const webPath = /^\/api\/v1\/calls\/web\/([0-9a-f-]{36})$/
/** A frame of audio has some hundred bytes; nothing that is said here is as long as this. */
const mostBytes = 64 * 1024
/** Whoever has a socket and says nothing for so long has none. */
const introductionMs = 10_000
/** Sockets that have not shown a ticket yet. */
const mostStrangers = 500

/** Where calls' audio comes in: the carrier's media streams, and browsers. A ticket opens it, once. */
export function attachSockets(server: Server, deps: SocketDependencies): { close(): Promise<void> } {
  const { holder, log } = deps
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: mostBytes,
    perMessageDeflate: false,
    handleProtocols: (protocols) => (protocols.has('frontdesk') ? 'frontdesk' : false),
  })
  let strangers = 0
  let isClosing = false

  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const url = new URL(request.url ?? '/', 'http://here')
    const web = webPath.exec(url.pathname)
    const isMedia = mediaPath.test(url.pathname)
    if (isClosing) return refuse(socket, '503 Service Unavailable')
    if (!isAllowedHost(request, deps.allowedHosts)) return refuse(socket, '421 Misdirected Request')
    if (!web && !isMedia) return refuse(socket, '404 Not Found')
    // Carriers are no browsers: a page that opens a media stream is up to no good.
    if (isMedia && request.headers.origin !== undefined) return refuse(socket, '403 Forbidden')
    if (web && !isAllowedOrigin(request, deps.corsOrigins)) return refuse(socket, '403 Forbidden')
    if (strangers >= mostStrangers) return refuse(socket, '503 Service Unavailable')
    if (isMedia) return sockets.handleUpgrade(request, socket, head, (opened) => void meet(opened, media))
    const token = url.searchParams.get('access_token') ?? protocolToken(request)
    if (!token) return refuse(socket, '401 Unauthorized')
    sockets.handleUpgrade(
      request,
      socket,
      head,
      (opened) => void meet(opened, (each) => browser(each, token, web?.[1])),
    )
  }

  /** Nobody's fault may reach the process: a socket that goes wrong is closed, and that is all. */
  async function meet(
    socket: WebSocket,
    introduce: (socket: WebSocket) => Promise<() => Promise<void>>,
  ): Promise<void> {
    strangers++
    // What is wrong with a frame closes the socket with its reason; without a listener it would end the process.
    socket.on('error', () => {})
    let hold: () => Promise<void>
    try {
      hold = await introduce(socket)
    } catch (error) {
      log.info({ reason: (error as Error).message }, 'a socket for a call was refused')
      socket.close(1008, 'Refused')
      return
    } finally {
      strangers--
    }
    await hold().catch((error) => log.error({ err: error }, 'a call’s socket met a fault'))
    socket.close(1000)
  }

  async function media(socket: WebSocket): Promise<() => Promise<void>> {
    const { stream, parameters, callId } = await startStream(socket, introductionMs)
    const joined = await holder.join(parameters.ticket ?? '')
    if (!joined) throw new Error('the ticket is unknown, used or too old')
    if (joined.call_id !== '' && joined.call_id !== callId) log.warn({ call: joined.id }, 'a stream names another call')
    // Only a simulated caller has a script to tell of.
    const { onScript, ...line } = stream
    return () => holder.hold(joined, joined.livemode ? line : { ...line, onScript })
  }

  async function browser(socket: WebSocket, token: string, id: string | undefined): Promise<() => Promise<void>> {
    const web = openWebLine(socket)
    const joined = await holder.join(token)
    if (joined?.id !== id || !joined) throw new Error('the token is unknown, used or too old')
    return () => holder.hold(joined, web.line, web.tell)
  }

  server.on('upgrade', upgrade)
  return {
    async close() {
      isClosing = true
      await holder.close()
      server.off('upgrade', upgrade)
      for (const socket of sockets.clients) socket.terminate()
      await new Promise((resolve) => sockets.close(resolve))
    },
  }
}

function refuse(socket: Duplex, status: string): void {
  socket.on('error', () => {})
  const challenge = status.startsWith('401') ? 'WWW-Authenticate: Bearer realm="frontdesk"\r\n' : ''
  socket.end(`HTTP/1.1 ${status}\r\n${challenge}Connection: close\r\nContent-Length: 0\r\n\r\n`)
}

const hostOf = (host: string | undefined) => (host ?? '').replace(/:\d+$/, '').toLowerCase()

const isAllowedHost = ({ headers }: IncomingMessage, allowed: ReadonlySet<string> | undefined) =>
  allowed === undefined || allowed.has(hostOf(headers.host))

/** Programs send none; browsers always do, and theirs must be a page of ours or one that the settings name. */
function isAllowedOrigin({ headers }: IncomingMessage, allowed: string[]): boolean {
  const { origin, host } = headers
  if (origin === undefined || allowed.includes('*') || allowed.includes(origin)) return true
  return URL.canParse(origin) && new URL(origin).host === host
}

/** Browsers cannot set headers: the token may stand among the protocols, behind ours. */
function protocolToken({ headers }: IncomingMessage): string | undefined {
  const [ours, token] = (headers['sec-websocket-protocol'] ?? '').split(',').map((each) => each.trim())
  return ours === 'frontdesk' ? token : undefined
}
