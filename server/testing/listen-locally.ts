import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { after } from 'node:test'

interface LocalServer {
  url: string
  close(): Promise<void>
}

/**
 * Serves on this machine, by default on a free port, until the test or the file ends. Clients decide when an idle
 * connection ends: otherwise a request on a busy machine may meet the end of its connection.
 */
export async function listenLocally(server: Server, port = 0): Promise<LocalServer> {
  server.keepAliveTimeout = 0
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      // `closeAllConnections` would leave out those that became WebSockets.
      for (const socket of sockets) socket.destroy()
    })
  after(close)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

/** A handler for `createServer`. A client that leaves before its request was read is no failure of the test. */
export const handling =
  (handle: (request: IncomingMessage, response: ServerResponse) => Promise<unknown>) =>
  (request: IncomingMessage, response: ServerResponse): void =>
    void handle(request, response).catch((error) => {
      const hasLeft = request.destroyed && !request.readableEnded
      if (!hasLeft) throw error
    })
