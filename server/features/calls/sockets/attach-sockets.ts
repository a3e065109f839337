import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { guard, guardListeners } from '../../../platform/guard-listeners.ts'
import { clientAddress, networkOf } from '../../../platform/http/client-address.ts'
import { isUuid } from '../../../platform/ids.ts'
import { asLiveWork } from '../../../platform/live-work.ts'
import type { SecretBox } from '../../../platform/secrets.ts'
import { startStream } from '../../../providers/telephony/twilio-media-stream.ts'
import type { Addresses } from '../carriers/addresses.ts'
import type { Carriers } from '../carriers/carriers.ts'
import { readListener } from '../listening/listen-to-call.ts'
import { type ListenerDependencies, serveListener } from '../listening/serve-listener.ts'
import type { Admission } from '../starting/admission.ts'
import { identifyStream } from './identify-stream.ts'
import { createSocketSlots } from './socket-slots.ts'
import { openWebMedia } from './web-media.ts'

export interface SocketDependencies extends ListenerDependencies {
  carriers: Carriers
  addresses: Addresses
  secrets: SecretBox
  admission: Admission
  /** Whether to take the client address from the proxy's `X-Forwarded-For`. */
  trustProxy: boolean
  /** Accepted host names; undefined accepts any. */
  allowedHosts: ReadonlySet<string> | undefined
  /** Origins that browsers may connect from, besides our own. */
  corsOrigins: string[]
}

const mediaPath = /^\/hooks\/voice\/([0-9a-f-]{36})\/media$/
const listenPath = /^\/api\/v1\/calls\/([0-9a-f-]{36})\/listen$/
const webPath = /^\/api\/v1\/calls\/web\/([0-9a-f-]{36})$/
/** An audio frame has some hundred bytes; no legitimate message is this long. */
const maxBytes = 64 * 1024
/** Carriers send the start message immediately; a socket without one is closed after this time. */
const startTimeoutMs = 10_000

/**
 * Accepts the WebSockets of calls: media streams of carriers and browsers, each with a single-use ticket, and listeners,
 * whose token opens the socket of one call within a minute.
 */
export function attachSockets(server: Server, deps: SocketDependencies): { close(): Promise<void> } {
  const { holder, admission, log } = deps
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxBytes,
    perMessageDeflate: false,
    handleProtocols: (protocols) => (protocols.has('frontdesk') ? 'frontdesk' : false),
  })
  const slots = {
    /** Unsigned media streams that have not presented a ticket yet. */
    unsigned: createSocketSlots({ total: 500, perNetwork: 20 }),
    /** Media streams signed by the channel's account that have not presented a ticket yet. */
    signed: createSocketSlots({ total: 500, perNetwork: 500 }),
  }

  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const url = targetOf(request)
    if (!url) return refuse(socket, '400 Bad Request')
    const web = webPath.exec(url.pathname)
    const media = mediaPath.exec(url.pathname)
    const listen = listenPath.exec(url.pathname)
    if (!admission.isOpen) return refuse(socket, '503 Service Unavailable')
    if (!isAllowedHost(request, deps.allowedHosts)) return refuse(socket, '421 Misdirected Request')
    if (!isUuid((web ?? media ?? listen)?.[1] ?? '')) return refuse(socket, '404 Not Found')
    // Only carriers open media streams, and they send no `Origin`.
    if (media && request.headers.origin !== undefined) return refuse(socket, '403 Forbidden')
    if (!media && !isAllowedOrigin(request, deps.corsOrigins)) return refuse(socket, '403 Forbidden')
    // The connection may break during the lookup; without an error listener that would end the process.
    socket.on('error', () => {})
    const given = { request, socket, head }
    const admitting = media?.[1]
      ? admitMedia(given, media[1])
      : listen?.[1]
        ? admitListener(given, listen[1], url)
        : admitBrowser(given, web?.[1] ?? '', url)
    admitting.catch((error) => {
      log.error({ err: error }, 'call sockets: admission failed')
      refuse(socket, '503 Service Unavailable')
    })
  }

  /**
   * A media stream presents its ticket in the start message, after the upgrade. Until then only the channel and the
   * signature identify it, so these sockets are limited by slots.
   */
  async function admitMedia({ request, socket, head }: Upgrade, channelId: string): Promise<void> {
    const origin = await asLiveWork(() => identifyStream(request, channelId, deps))
    if (origin === 'unknown') return refuse(socket, '404 Not Found')
    if (!admission.isOpen) return refuse(socket, '503 Service Unavailable')
    const network = networkOf(clientAddress(request, deps.trustProxy))
    const slot = (origin === 'signed' ? slots.signed : slots.unsigned).take(network)
    if (!slot) return refuse(socket, '503 Service Unavailable')
    // Frees the slot if the handshake fails or the socket closes before the start message.
    socket.once('close', slot)
    if (socket.destroyed) slot()
    sockets.handleUpgrade(request, socket, head, (opened) => {
      void serve(opened, () => joinMediaStream(opened, channelId).finally(slot))
    })
  }

  async function admitBrowser({ request, socket, head }: Upgrade, id: string, url: URL): Promise<void> {
    const token = url.searchParams.get('access_token') ?? protocolToken(request)
    if (!token || !(await holder.isExpected(token, id))) return refuse(socket, '401 Unauthorized')
    if (!admission.isOpen) return refuse(socket, '503 Service Unavailable')
    sockets.handleUpgrade(request, socket, head, (opened) => void serve(opened, () => joinBrowser(opened, token, id)))
  }

  /** A member who listens to a call. The token is of this call, and was given to a member who may. */
  async function admitListener({ request, socket, head }: Upgrade, id: string, url: URL): Promise<void> {
    const token = url.searchParams.get('access_token') ?? protocolToken(request)
    const listener = token && readListener(deps.secrets, id, token)
    if (!listener) return refuse(socket, '401 Unauthorized')
    sockets.handleUpgrade(request, socket, head, (opened) => {
      guardSocket(opened)
      const serving = serveListener(opened, { id, listener }, deps)
      serving.catch((error) => {
        log.error({ err: error, call: id }, 'call sockets: listening failed')
        opened.close(1011)
      })
    })
  }

  /** A listener that fails closes its socket. */
  function guardSocket(socket: WebSocket): void {
    guardListeners(socket, (error, event) => {
      log.error({ err: error, listener: event }, 'call socket: listener failed, closing the socket')
      socket.terminate()
    })
    // `ws` closes the socket on an invalid frame; without an error listener that would end the process.
    socket.on('error', () => {})
  }

  /** Serves one socket. An error closes this socket and affects no other. */
  async function serve(socket: WebSocket, join: () => Promise<() => Promise<void>>): Promise<void> {
    guardSocket(socket)
    let hold: () => Promise<void>
    try {
      hold = await join()
    } catch (error) {
      log.info({ reason: (error as Error).message }, 'call sockets: refused')
      socket.close(1008, 'Refused')
      return
    }
    await hold().catch((error) => log.error({ err: error }, 'call sockets: call failed'))
    socket.close(1000)
  }

  async function joinMediaStream(socket: WebSocket, channelId: string): Promise<() => Promise<void>> {
    const { stream, parameters, callId } = await startStream(socket, startTimeoutMs)
    const joined = await holder.join(parameters.ticket ?? '', { channelId, carrierCallId: callId })
    if (!joined) throw new Error('the ticket is unknown, used, too old or of another call')
    // Script messages are accepted from simulated callers only, that is in test mode.
    const { onScript, ...media } = stream
    return () => holder.hold(joined, joined.livemode ? media : { ...media, onScript })
  }

  /** If two browsers present the same token concurrently, the second is refused here. */
  async function joinBrowser(socket: WebSocket, token: string, id: string): Promise<() => Promise<void>> {
    const web = openWebMedia(socket)
    const joined = await holder.join(token, { id })
    if (!joined) throw new Error('the token was used or is too old')
    return () => holder.hold(joined, web.media, web.sendEvent)
  }

  const guardedUpgrade = guard(upgrade, (error, _request, socket) => {
    log.error({ err: error }, 'call socket: upgrade failed')
    refuse(socket, '500 Internal Server Error')
  })
  server.on('upgrade', guardedUpgrade)
  return {
    async close() {
      admission.isOpen = false
      await holder.close()
      server.off('upgrade', guardedUpgrade)
      for (const socket of sockets.clients) socket.terminate()
      await new Promise((resolve) => sockets.close(resolve))
    },
  }
}

interface Upgrade {
  request: IncomingMessage
  socket: Duplex
  head: Buffer
}

/** The client may close its side until then; resetting the connection at once could lose the answer. */
const lingerMs = 1_000

function refuse(socket: Duplex, status: string): void {
  socket.on('error', () => {})
  // Whatever it still sends is dropped. No HTTP timeout applies after an upgrade.
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
  const challenge = status.startsWith('401') ? 'WWW-Authenticate: Bearer realm="frontdesk"\r\n' : ''
  socket.end(`HTTP/1.1 ${status}\r\n${challenge}Connection: close\r\nContent-Length: 0\r\n\r\n`)
}

/** The request target: a path, or an absolute URL as proxies send it. `//…` would be parsed as another host. */
const targetOf = ({ url = '/' }: IncomingMessage): URL | null =>
  url.startsWith('//') ? null : URL.parse(url, 'http://here')

const hostOf = (host: string | undefined) => (host ?? '').replace(/:\d+$/, '').toLowerCase()

const isAllowedHost = ({ headers }: IncomingMessage, allowed: ReadonlySet<string> | undefined) =>
  allowed === undefined || allowed.has(hostOf(headers.host))

/** Clients that are not browsers send no `Origin`. Browsers always do; it must be our own or listed in the settings. */
function isAllowedOrigin({ headers }: IncomingMessage, allowed: string[]): boolean {
  const { origin, host } = headers
  if (origin === undefined || allowed.includes('*') || allowed.includes(origin)) return true
  return URL.canParse(origin) && new URL(origin).host === host
}

/** Browsers cannot set headers on a WebSocket, so the token may be the second protocol, after `frontdesk`. */
function protocolToken({ headers }: IncomingMessage): string | undefined {
  const [ours, token] = (headers['sec-websocket-protocol'] ?? '').split(',').map((each) => each.trim())
  return ours === 'frontdesk' ? token : undefined
}
