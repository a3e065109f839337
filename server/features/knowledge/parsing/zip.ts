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

const damaged = (subject: string, cause?: unknown) =>
  new UnreadableDocument('damaged', `The ${subject} is damaged or was not uploaded completely.`, cause)

export const looksLikeZip = (bytes: Buffer): boolean => bytes.length >= 4 && bytes.readUInt32LE(0) === localHeader

/** The names in the local headers, as far as they can be followed: enough to tell a kind from the beginning of a file. */
export function namesInZip(bytes: Buffer): string[] {
  const names: string[] = []
  for (let at = 0; at >= 0 && names.length < maxEntries; at = bytes.indexOf('PK\x03\x04', at + 30, 'latin1')) {
    if (at + 30 > bytes.length) break
    names.push(bytes.toString('utf8', at + 30, at + 30 + bytes.readUInt16LE(at + 26)))
  }
  return names
}

/** Formats of OpenDocument and EPUB state their type in a first, uncompressed entry. */
export function zipMimeType(bytes: Buffer): string | undefined {
  if (bytes.length < 38 || bytes.toString('latin1', 30, 38) !== 'mimetype' || bytes.readUInt16LE(8) !== 0)
    return undefined
  const start = 38 + bytes.readUInt16LE(28)
  return bytes.toString('latin1', start, start + Math.min(100, bytes.readUInt32LE(18))).trim()
}

/**
 * The central directory at the end of the file, checked: nothing beyond what it lists is ever inflated. `subject` is what
 * sentences about the file call it.
 */
export function listZip(bytes: Buffer, subject = 'Word document'): ZipEntry[] {
  const end = findEnd(bytes, subject)
  const count = bytes.readUInt16LE(end + 10)
  const start = bytes.readUInt32LE(end + 16)
  // 0xffff and 0xffffffff refer to a second table with 64-bit numbers: no honest document needs one.
  if (count > maxEntries || start === 0xffffffff)
    throw new UnreadableDocument('bomb', `The ${subject} holds more parts than any real one does.`)
  const entries: ZipEntry[] = []
  const named = new Set<string>()
  let at = start
  for (let i = 0; i < count; i++) {
    if (at + 46 > end || bytes.readUInt32LE(at) !== centralHeader) throw damaged(subject)
    const nameLength = bytes.readUInt16LE(at + 28)
    const next = at + 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
    if (next > end) throw damaged(subject)
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    // Two entries with one name, or entries that share bytes, are how an archive shows one thing and does another.
    if (named.has(name)) throw damaged(subject)
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
  checkOverlap(entries, start, subject)
  return entries
}

function findEnd(bytes: Buffer, subject: string): number {
  for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - 22 - 0xffff); at--)
    if (bytes.readUInt32LE(at) === endRecord) return at
  throw damaged(subject)
}

function checkOverlap(entries: ZipEntry[], end: number, subject: string): void {
  let free = 0
  for (const { offset, packed } of entries.toSorted((a, b) => a.offset - b.offset)) {
    if (offset < free || offset + 30 + packed > end) throw damaged(subject)
    free = offset + 30 + packed
  }
}

/** Never more bytes than the central directory states. */
export function inflateEntry(
  bytes: Buffer,
  { offset, method, encrypted, packed, size }: ZipEntry,
  subject: string,
): Buffer {
  if (encrypted)
    throw new UnreadableDocument('encrypted', `The ${subject} has a password. Remove it and upload it again.`)
  if (bytes.readUInt32LE(offset) !== localHeader) throw damaged(subject)
  const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28)
  const content = bytes.subarray(start, start + packed)
  if (content.length !== packed) throw damaged(subject)
  if (method === 0) return content
  if (method !== 8) throw damaged(subject)
  try {
    const inflated = inflateRawSync(content, { maxOutputLength: Math.max(1, size) })
    if (inflated.length !== size) throw damaged(subject)
    return inflated
  } catch (error) {
    throw error instanceof UnreadableDocument ? error : damaged(subject, error)
  }
}
