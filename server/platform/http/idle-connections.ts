import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** A request may be on its way on a connection that was just opened. */
const silentMs = 1_000

/**
 * Returns what closes connections without a request while the server is closing. Node keeps two kinds of them open for
 * a minute or more: those whose last response ended after the server began to close, and those that were opened in
 * advance, as browsers do, and have sent nothing yet.
 */
export function closerOfIdleConnections(server: Server): () => void {
  const opened = new Map<Socket, number>()
  server.on('connection', (socket) => {
    opened.set(socket, performance.now())
    socket.once('close', () => opened.delete(socket))
  })
  return () => {
    server.closeIdleConnections()
    const now = performance.now()
    for (const [socket, at] of opened) if (socket.bytesRead === 0 && now - at > silentMs) socket.destroy()
  }
}
