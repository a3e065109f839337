import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { after } from 'node:test'
import type { ClientConfig } from 'pg'

/** The tests' PostgreSQL listens on a socket of its own user. Returns a TCP port that leads to it, for other programs. */
export async function databaseOverTcp({ host, port = 5432 }: ClientConfig): Promise<number> {
  const proxy = createServer((socket) => {
    const upstream = connect(join(host as string, `.s.PGSQL.${port}`))
    for (const each of [socket, upstream]) each.on('error', () => [socket, upstream].map((end) => end.destroy()))
    socket.pipe(upstream).pipe(socket)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  after(() => proxy.close())
  return (proxy.address() as AddressInfo).port
}
