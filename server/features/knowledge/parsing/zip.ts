import { inflateRawSync } from 'node:zlib'
import { UnreadableDocument } from './document.ts'

export interface ZipEntry {
  name: string
  method: number
  encrypted: boolean
  packed: number
  size: number
  /** Offset of its local header. */
  offset: number
}

const maxEntries = 10_000
const localHeader = 0x04034b50
const centralHeader = 0x02014b50
const endRecord = 0x06054b50

const damaged = (cause?: unknown) =>
  new UnreadableDocument('damaged', 'The Word document is damaged or was not uploaded completely.', cause)

export const looksLikeZip = (bytes: Buffer): boolean => bytes.length >= 4 && bytes.readUInt32LE(0) === localHeader

/** The central directory at the end of the file, checked: nothing beyond what it lists is ever inflated. */
export function listZip(bytes: Buffer): ZipEntry[] {
  const end = findEnd(bytes)
  const count = bytes.readUInt16LE(end + 10)
  const start = bytes.readUInt32LE(end + 16)
  // 0xffff and 0xffffffff refer to a second table with 64-bit numbers: no honest document needs one.
  if (count > maxEntries || start === 0xffffffff)
    throw new UnreadableDocument('bomb', 'The Word document holds more parts than any real one does.')
  const entries: ZipEntry[] = []
  const named = new Set<string>()
  let at = start
  for (let i = 0; i < count; i++) {
    if (at + 46 > end || bytes.readUInt32LE(at) !== centralHeader) throw damaged()
    const nameLength = bytes.readUInt16LE(at + 28)
    const next = at + 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
    if (next > end) throw damaged()
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    // Two entries with one name, or entries that share bytes, are how an archive shows one thing and does another.
    if (named.has(name)) throw damaged()
    named.add(name)
    entries.push({
      name,
      method: bytes.readUInt16LE(at + 10),
      encrypted: (bytes.readUInt16LE(at + 8) & 1) !== 0,
      packed: bytes.readUInt32LE(at + 20),
      size: bytes.readUInt32LE(at + 24),
      offset: bytes.readUInt32LE(at + 42),
    })
    at = next
  }
  checkOverlap(entries, start)
  return entries
}

function findEnd(bytes: Buffer): number {
  for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - 22 - 0xffff); at--)
    if (bytes.readUInt32LE(at) === endRecord) return at
  throw damaged()
}

function checkOverlap(entries: ZipEntry[], end: number): void {
  let free = 0
  for (const { offset, packed } of entries.toSorted((a, b) => a.offset - b.offset)) {
    if (offset < free || offset + 30 + packed > end) throw damaged()
    free = offset + 30 + packed
  }
}

/** Never more bytes than the central directory states. */
export function inflateEntry(bytes: Buffer, { offset, method, encrypted, packed, size }: ZipEntry): Buffer {
  if (encrypted)
    throw new UnreadableDocument('encrypted', 'The Word document has a password. Remove it and upload it again.')
  if (bytes.readUInt32LE(offset) !== localHeader) throw damaged()
  const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28)
  const content = bytes.subarray(start, start + packed)
  if (content.length !== packed) throw damaged()
  if (method === 0) return content
  if (method !== 8) throw damaged()
  try {
    const inflated = inflateRawSync(content, { maxOutputLength: Math.max(1, size) })
    if (inflated.length !== size) throw damaged()
    return inflated
  } catch (error) {
    throw error instanceof UnreadableDocument ? error : damaged(error)
  }
}

/** An archive of the same entries without compression. */
export function packZip(parts: { name: string; content: Buffer }[]): Buffer {
  const pieces: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const { name, content } of parts) {
    const named = Buffer.from(name)
    // Version, flags (names in UTF-8), method, time, date, checksum (our readers do not check it), sizes, name, extra.
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(0x800, 2)
    facts.writeUInt32LE(content.length, 14)
    facts.writeUInt32LE(content.length, 18)
    facts.writeUInt16LE(named.length, 22)
    const header = Buffer.concat([Buffer.from('PK\x03\x04'), facts, named])
    pieces.push(header, content)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(at, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), facts, tail, named)
    at += header.length + content.length
  }
  const table = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(table.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...pieces, table, end])
}
