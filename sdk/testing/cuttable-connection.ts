import { connect, createServer, type Socket } from 'node:net'
import { after } from 'node:test'

/** A TCP proxy to the service whose connections the test can cut. */
export async function startCuttableConnection(target: string): Promise<{ url: string; cut(): void }> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  after(() => {
    cut()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, cut }
}
