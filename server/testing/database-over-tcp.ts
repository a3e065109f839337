import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { after } from 'node:test'
import type { ClientConfig } from 'pg'

/** Where PostgreSQL listens: a path, or a port of this machine. */
type Place = string | number

interface DatabaseProxy {
  port: number
  /** Closes every connection and sends new ones elsewhere. */
  lead(to: Place): void
}

/** A TCP port that leads to PostgreSQL. */
export async function startDatabaseProxy(place: Place): Promise<DatabaseProxy> {
  let target = place
  const open = new Set<Socket>()
  const proxy = createServer((socket) => {
    const upstream = typeof target === 'number' ? connect(target, '127.0.0.1') : connect(target)
    for (const each of [socket, upstream]) {
      open.add(each)
      each.on('error', () => each.destroy())
      each.on('close', () => {
        open.delete(each)
        socket.destroy()
        upstream.destroy()
      })
    }
    socket.pipe(upstream).pipe(socket)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  after(() => {
    proxy.close()
    for (const each of open) each.destroy()
  })
  return {
    port: (proxy.address() as AddressInfo).port,
    lead(to) {
      target = to
      for (const each of open) each.destroy()
    },
  }
}

/** The tests' PostgreSQL listens on a socket of its own user. Returns a TCP port that leads to it, for other programs. */
export async function databaseOverTcp({ host, port = 5432 }: ClientConfig): Promise<number> {
  return (await startDatabaseProxy(join(host as string, `.s.PGSQL.${port}`))).port
}
