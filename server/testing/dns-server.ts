import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after } from 'node:test'

const types = { a: 1, txt: 16 }

interface DnsServer {
  /** With its port. */
  address: string
  /** TXT records. */
  records: Map<string, string>
  /** IPv4 addresses of names. */
  hosts: Map<string, string>
}

/** A DNS server that knows these records and never answers for names in `.silent`; closed at the end of the test file. */
export async function dnsServer({ address = '127.0.0.1', port = 0 } = {}): Promise<DnsServer> {
  const records = new Map<string, string>()
  const hosts = new Map<string, string>()
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const labels: string[] = []
    let at = 12
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length))
      at += 1 + length
    }
    if (labels.at(-1) === 'silent') return
    const question = query.subarray(12, at + 5)
    const name = labels.join('.')
    const type = query.readUInt16BE(at + 1)
    const value = (type === types.a ? hosts : type === types.txt ? records : undefined)?.get(name)
    const isKnown = value !== undefined || hosts.has(name)
    const header = Buffer.alloc(12)
    query.copy(header, 0, 0, 2)
    // A response with recursion; 3 is "no such name".
    header.writeUInt16BE(isKnown ? 0x8180 : 0x8183, 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(value === undefined ? 0 : 1, 6)
    const text = Buffer.from(value ?? '')
    const data = type === types.a ? text.toString().split('.').map(Number) : [text.length, ...text]
    // The name of the question, its type, IN, a minute, and an address or one string.
    const answer = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length, ...data])
    socket.send(Buffer.concat([header, question, ...(value === undefined ? [] : [answer])]), from.port, from.address)
  })
  socket.bind(port, address)
  await once(socket, 'listening')
  after(() => void socket.close())
  return { address: `${address}:${socket.address().port}`, records, hosts }
}
