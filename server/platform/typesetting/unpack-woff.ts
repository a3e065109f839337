import { inflateSync } from 'node:zlib'

const woffHeader = 44
const woffEntry = 20
const header = 12
const entry = 16

/**
 * Converts WOFF to the TrueType file it was made from. fontkit reads WOFF too, but unpacks a whole table in JavaScript
 * for every glyph.
 */
export function unpackWoff(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12)
  const directory = Buffer.alloc(header + entry * count)
  woff.copy(directory, 0, 4, 8)
  directory.writeUInt16BE(count, 4)
  const tables: Buffer[] = []
  let at = directory.length
  for (let i = 0; i < count; i++) {
    const from = woffHeader + woffEntry * i
    const [offset, packed, length, checksum] = [4, 8, 12, 16].map((place) => woff.readUInt32BE(from + place)) as [
      number,
      number,
      number,
      number,
    ]
    const bytes = woff.subarray(offset, offset + packed)
    const to = header + entry * i
    woff.copy(directory, to, from, from + 4)
    directory.writeUInt32BE(checksum, to + 4)
    directory.writeUInt32BE(at, to + 8)
    directory.writeUInt32BE(length, to + 12)
    // Tables begin at multiples of four.
    const padding = Buffer.alloc(-length & 3)
    tables.push(packed < length ? inflateSync(bytes) : bytes, padding)
    at += length + padding.length
  }
  return Buffer.concat([directory, ...tables])
}
