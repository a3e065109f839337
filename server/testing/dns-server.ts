import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after } from 'node:test'

/** A DNS server that knows these TXT records; closed at the end of the test file. */
export async function dnsServer(): Promise<{ address: string; records: Map<string, string> }> {
  const records = new Map<string, string>()
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const labels: string[] = []
    let at = 12
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length))
      at += 1 + length
    }
    const question = query.subarray(12, at + 5)
    const value = records.get(labels.join('.'))
    const header = Buffer.alloc(12)
    query.copy(header, 0, 0, 2)
    // A response with recursion; 3 is "no such name".
    header.writeUInt16BE(value === undefined ? 0x8183 : 0x8180, 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(value === undefined ? 0 : 1, 6)
    const text = Buffer.from(value ?? '')
    // The name of the question, TXT, IN, a minute, and one string.
    const answer = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, text.length + 1, text.length, ...text])
    socket.send(Buffer.concat([header, question, ...(value === undefined ? [] : [answer])]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  after(() => void socket.close())
  return { address: `127.0.0.1:${socket.address().port}`, records }
}
