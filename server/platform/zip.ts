import { crc32, createDeflateRaw } from 'node:zlib'

export interface ZipEntry {
  /** A path with slashes. */
  name: string
  bytes: AsyncIterable<Buffer | string>
}

/** Sizes and offsets are 32-bit numbers: larger archives would need another format. */
const maxBytes = 0xffffffff
const maxEntries = 0xffff

/** Flags: sizes follow the bytes, names are UTF-8. Method 8: deflate. Version 2.0. */
const [flags, method, version] = [0x0808, 8, 20]

interface Written {
  name: Buffer
  crc: number
  packed: number
  size: number
  offset: number
}

/** A ZIP archive, written as it is read: no entry is held in memory or read twice. */
export async function* writeZip(entries: AsyncIterable<ZipEntry>, now = new Date()): AsyncGenerator<Buffer> {
  const written: Written[] = []
  const time = dosTime(now)
  let offset = 0
  for await (const { name, bytes } of entries) {
    const entry: Written = { name: Buffer.from(name), crc: 0, packed: 0, size: 0, offset }
    const header = numbers([4, 0x04034b50], [2, version], [2, flags], [2, method], [4, time], [4, 0], [4, 0], [4, 0])
    yield Buffer.concat([header, numbers([2, entry.name.length], [2, 0]), entry.name])
    for await (const chunk of packed(bytes, entry)) yield chunk
    yield numbers([4, 0x08074b50], [4, entry.crc], [4, entry.packed], [4, entry.size])
    offset += 30 + entry.name.length + entry.packed + 16
    if (written.push(entry) > maxEntries || offset > maxBytes || entry.size > maxBytes)
      throw new Error('the archive would have more than 65,535 files or 4 GiB')
  }
  const start = offset
  for (const { name, crc, packed, size, offset: at } of written) {
    const fixed = numbers([4, 0x02014b50], [2, version], [2, version], [2, flags], [2, method], [4, time])
    const sizes = numbers([4, crc], [4, packed], [4, size], [2, name.length], [2, 0], [2, 0], [2, 0], [2, 0], [4, 0])
    yield Buffer.concat([fixed, sizes, numbers([4, at]), name])
    offset += 46 + name.length
  }
  const count = written.length
  yield numbers([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, offset - start], [4, start], [2, 0])
}

/** Deflates the bytes and counts them on the way. */
async function* packed(bytes: AsyncIterable<Buffer | string>, entry: Written): AsyncGenerator<Buffer> {
  const deflate = createDeflateRaw()
  const feeding = (async () => {
    for await (const given of bytes) {
      const chunk = Buffer.from(given as string)
      entry.crc = crc32(chunk, entry.crc)
      entry.size += chunk.length
      if (!deflate.write(chunk)) await new Promise((resolve) => deflate.once('drain', resolve))
    }
    deflate.end()
  })().catch((error) => deflate.destroy(error))
  for await (const chunk of deflate) {
    entry.packed += chunk.length
    yield chunk
  }
  await feeding
}

/** Little-endian numbers of so many bytes each. */
function numbers(...parts: [bytes: 2 | 4, value: number][]): Buffer {
  const buffer = Buffer.alloc(parts.reduce((sum, [bytes]) => sum + bytes, 0))
  let at = 0
  for (const [bytes, value] of parts) at = buffer.writeUIntLE(value, at, bytes)
  return buffer
}

/** The format has no time zone; UTC is as good as any. */
const dosTime = (at: Date): number =>
  (((at.getUTCFullYear() - 1980) << 25) |
    ((at.getUTCMonth() + 1) << 21) |
    (at.getUTCDate() << 16) |
    (at.getUTCHours() << 11) |
    (at.getUTCMinutes() << 5) |
    (at.getUTCSeconds() >> 1)) >>>
  0
