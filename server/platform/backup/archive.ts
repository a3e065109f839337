import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { decrypt, encrypt, encryptedMagic, WrongPassphrase } from './encrypt.ts'
import { inChunks, readTar, type TarEntry, tarEnd, tarEntry } from './tar.ts'

/**
 * A backup is one stream: a tar of `backup.json` (what it is), the pieces, each in numbered chunks, and `manifest.json`
 * (what must be in it) with its checksum, compressed with zstd and optionally encrypted. Neither side holds more than a chunk in memory.
 */
export interface Piece {
  /** A path such as `tables/public.contacts`. */
  name: string
  bytes: AsyncIterable<Buffer>
}

export interface PieceSum {
  bytes: number
  sha256: string
}

export interface Manifest {
  /** Over a line `<sha256>  <name>` for the header and each piece, in order: whatever is changed, moved or missing changes it. */
  sha256: string
}

const headerName = 'backup.json'
const manifestName = 'manifest.json'
/** The last entry: the checksum of the manifest, which holds those of everything else. */
const sumName = 'manifest.sha256'
const chunkBytes = 1024 * 1024
const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/** Turns what went wrong while reading into a sentence about the file. */
class DamagedBackup extends Error {
  constructor(problem: string, cause?: unknown) {
    super(`the backup is damaged: ${problem}`, { cause })
  }
}

export function writeArchive(
  header: object,
  pieces: AsyncIterable<Piece>,
  options: {
    passphrase?: string | undefined
    onBytes(count: number): void
    onPiece(name: string, sum: PieceSum): void
    /** What else the manifest says, once all pieces are written. */
    manifest(): object
  },
): Readable {
  const compressed = pipeline(Readable.from(entriesOf(header, pieces, options)), createZstdCompress(), () => {})
  const { passphrase } = options
  return passphrase === undefined ? compressed : Readable.from(encrypt(compressed, passphrase))
}

async function* entriesOf(
  header: object,
  pieces: AsyncIterable<Piece>,
  { onBytes, onPiece, manifest }: Parameters<typeof writeArchive>[2],
): AsyncGenerator<Buffer> {
  const sums = createSums()
  const about = toJson(header)
  sums.add(headerName, sumOf(about))
  yield* tarEntry({ name: headerName, bytes: about })
  for await (const { name, bytes } of pieces) {
    const sum = createSum()
    let number = 0
    const chunkName = () => `${name}/${String(++number).padStart(6, '0')}`
    for await (const chunk of inChunks(bytes, chunkBytes)) {
      sum.add(chunk)
      yield* tarEntry({ name: chunkName(), bytes: chunk })
      onBytes(chunk.length)
    }
    if (number === 0) yield* tarEntry({ name: chunkName(), bytes: Buffer.alloc(0) })
    onPiece(name, sums.add(name, sum.end()))
  }
  const last = toJson({ ...manifest(), ...sums.end() })
  yield* tarEntry({ name: manifestName, bytes: last })
  yield* tarEntry({ name: sumName, bytes: Buffer.from(sumOf(last).sha256) })
  yield tarEnd
}

const toJson = (value: object): Buffer => Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`)

function sumOf(bytes: Buffer): PieceSum {
  const sum = createSum()
  sum.add(bytes)
  return sum.end()
}

function createSum() {
  const hash = createHash('sha256')
  let bytes = 0
  return {
    add(chunk: Buffer) {
      hash.update(chunk)
      bytes += chunk.length
    },
    end: (): PieceSum => ({ bytes, sha256: hash.digest('hex') }),
  }
}

function createSums() {
  const hash = createHash('sha256')
  return {
    add(name: string, sum: PieceSum): PieceSum {
      hash.update(`${sum.sha256}  ${name}\n`)
      return sum
    },
    end: (): Manifest => ({ sha256: hash.digest('hex') }),
  }
}

/**
 * Reads a backup from its beginning to its end and hands each piece to `take`, in order; what `take` leaves unread is
 * skipped. Returns the manifest once everything has been read and its checksums agree; otherwise it throws.
 */
export async function readArchive(
  file: string,
  options: {
    passphrase?: string | undefined
    onHeader?(header: unknown): void
    onBytes?(count: number): void
    take?(piece: Piece): Promise<void>
  },
): Promise<Manifest> {
  const entries = readTar(await openArchive(file, options.passphrase))
  try {
    return await readEntries(entries, options)
  } finally {
    // Closes the file.
    await entries.return(undefined).catch(() => {})
  }
}

async function readEntries(
  entries: AsyncGenerator<TarEntry>,
  { onHeader, onBytes, take }: Parameters<typeof readArchive>[1],
): Promise<Manifest> {
  let current: TarEntry | undefined
  const advance = async () => {
    try {
      current = (await entries.next()).value
    } catch (error) {
      if (error instanceof WrongPassphrase) throw error
      throw new DamagedBackup((error as Error).message, error)
    }
    if (!current) throw new DamagedBackup('its end is missing')
  }
  const here = () => current as TarEntry
  await advance()
  if (here().name !== headerName) throw new DamagedBackup(`${headerName} is missing`)
  const sums = createSums()
  sums.add(headerName, sumOf(here().bytes))
  onHeader?.(parse(here().bytes))
  await advance()
  while (here().name !== manifestName) {
    const name = pieceOf(here().name)
    const sum = createSum()
    async function* bytes() {
      for (; pieceOf(here().name) === name; await advance()) {
        sum.add(here().bytes)
        onBytes?.(here().bytes.length)
        yield here().bytes
      }
    }
    const rest = bytes()
    await take?.({ name, bytes: { [Symbol.asyncIterator]: () => ({ next: () => rest.next() }) } })
    for await (const _ of rest);
    sums.add(name, sum.end())
  }
  const last = here().bytes
  const manifest = parse(last) as Manifest
  await advance()
  if (here().bytes.toString() !== sumOf(last).sha256 || manifest.sha256 !== sums.end().sha256)
    throw new DamagedBackup('its contents do not match their checksums')
  const { done } = await entries.next().catch((error) => {
    throw new DamagedBackup((error as Error).message, error)
  })
  if (!done) throw new DamagedBackup('something follows its end')
  return manifest
}

const pieceOf = (name: string): string => name.slice(0, name.lastIndexOf('/'))

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw new DamagedBackup('a part of it cannot be read', error)
  }
}

async function openArchive(file: string, passphrase: string | undefined): Promise<AsyncIterable<Buffer>> {
  const magic = await firstBytes(file)
  const isEncrypted = magic.equals(encryptedMagic)
  if (!isEncrypted && !magic.subarray(0, zstdMagic.length).equals(zstdMagic))
    throw new Error(`${file} is not a backup of Frontdesk`)
  if (isEncrypted && passphrase === undefined)
    throw new Error(`${file} is encrypted: give its passphrase with --passphrase-file`)
  const source = createReadStream(file, { highWaterMark: 256 * 1024 })
  const plain = isEncrypted ? Readable.from(decrypt(source, passphrase as string)) : source
  return pipeline(plain, createZstdDecompress(), () => {})
}

async function firstBytes(file: string): Promise<Buffer> {
  const handle = await open(file).catch((error) => {
    throw new Error(`${file} cannot be read: ${error.message}`)
  })
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(encryptedMagic.length))
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}
