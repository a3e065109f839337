/**
 * Just enough of the tar format (ustar): small entries that are held in memory. `tar` can read a backup
 * without this program.
 */
export interface TarEntry {
  name: string
  bytes: Buffer
}

const blockBytes = 512
/** Entries are written in chunks of a mebibyte; more than this is no backup of ours. */
const maxEntryBytes = 64 * 1024 * 1024

export const tarEnd = Buffer.alloc(2 * blockBytes)

export function* tarEntry({ name, bytes }: TarEntry): Generator<Buffer> {
  yield headerOf(name, bytes.length)
  yield bytes
  const rest = bytes.length % blockBytes
  if (rest > 0) yield Buffer.alloc(blockBytes - rest)
}

function headerOf(name: string, size: number): Buffer {
  const header = Buffer.alloc(blockBytes)
  // The name has 100 bytes; folders before the last slash may go to the prefix, which has 155.
  const at = Buffer.byteLength(name) > 100 ? name.lastIndexOf('/') : -1
  const [prefix, base] = at < 0 ? ['', name] : [name.slice(0, at), name.slice(at + 1)]
  if (Buffer.byteLength(base) > 100 || Buffer.byteLength(prefix) > 155) throw new Error(`${name} is too long for a tar`)
  header.write(base, 0)
  header.write('0000600\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  header.write('00000000000\0', 136)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  header.write(prefix, 345)
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** The sum of all bytes, with the checksum's own field as spaces. */
function checksumOf(header: Buffer): number {
  let sum = 8 * 32
  for (let i = 0; i < blockBytes; i++) if (i < 148 || i >= 156) sum += header[i] as number
  return sum
}

/** Reads the source to its end, so that its own checks at the end are made too. */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const chunks = source[Symbol.asyncIterator]()
  try {
    yield* entriesIn(takeFrom(chunks))
    if (!(await chunks.next()).done) throw new Error('something follows its end')
  } finally {
    await chunks.return?.()
  }
}

async function* entriesIn(take: ReturnType<typeof takeFrom>): AsyncGenerator<TarEntry> {
  for (;;) {
    const header = await take(blockBytes)
    if (!header) throw new Error('it ends in the middle')
    if (header.every((byte) => byte === 0)) {
      if (!(await take(blockBytes))?.every((byte) => byte === 0)) throw new Error('it ends in the middle')
      return
    }
    const field = (start: number, end: number) => header.toString('utf8', start, end).replace(/\0.*$/s, '')
    const octal = (start: number, end: number) => Number.parseInt(field(start, end), 8)
    if (octal(148, 156) !== checksumOf(header)) throw new Error('the checksum of an entry is wrong')
    const size = octal(124, 136)
    if (!(size <= maxEntryBytes)) throw new Error('an entry is too large')
    const bytes = await take(size)
    const padding = await take((blockBytes - (size % blockBytes)) % blockBytes)
    if (!bytes || !padding) throw new Error('it ends in the middle')
    const [prefix, base] = [field(345, 500), field(0, 100)]
    yield { name: prefix ? `${prefix}/${base}` : base, bytes }
  }
}

/** Takes exactly so many bytes; undefined when the source ends before. */
function takeFrom(chunks: AsyncIterator<Buffer>): (size: number) => Promise<Buffer | undefined> {
  let held: Buffer[] = []
  let heldBytes = 0
  return async (size) => {
    while (heldBytes < size) {
      const { done, value } = await chunks.next()
      if (done) return undefined
      held.push(value)
      heldBytes += value.length
    }
    const all = held.length === 1 ? (held[0] as Buffer) : Buffer.concat(held)
    held = [all.subarray(size)]
    heldBytes -= size
    return all.subarray(0, size)
  }
}

/** The same bytes in buffers of exactly `size`, except the last one. */
export async function* inChunks(source: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let heldBytes = 0
  for await (const chunk of source) {
    held.push(chunk)
    heldBytes += chunk.length
    if (heldBytes < size) continue
    const all = Buffer.concat(held)
    let start = 0
    for (; all.length - start >= size; start += size) yield all.subarray(start, start + size)
    held = [all.subarray(start)]
    heldBytes = all.length - start
  }
  if (heldBytes > 0) yield Buffer.concat(held)
}
