import { createCipheriv, createDecipheriv, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { inChunks } from './tar.ts'

/**
 * A stream encrypted with a passphrase. The header holds magic, salt and a verifier; chunks of 64 KiB follow, each
 * sealed with AES-256-GCM. A chunk's nonce is its number and whether it is the last one, so chunks can be neither
 * reordered nor left out, and a stream that was cut off does not open. The header is authenticated with every chunk.
 */
export const encryptedMagic = Buffer.from('FDBACKUP')
const saltBytes = 16
const verifierBytes = 32
const headerBytes = encryptedMagic.length + saltBytes + verifierBytes
const chunkBytes = 64 * 1024
const tagBytes = 16

/** OWASP's parameters for scrypt: 128 MiB of memory for each guess. */
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }

const scryptAsync = promisify<string, Buffer, number, typeof cost, Buffer>(scrypt)

/** The verifier tells a wrong passphrase from a damaged file. A guess costs one scrypt with or without it. */
async function deriveFrom(passphrase: string, salt: Buffer): Promise<{ key: Buffer; verifier: Buffer }> {
  const derived = await scryptAsync(passphrase.normalize('NFC'), salt, 32 + verifierBytes, cost)
  return { key: derived.subarray(0, 32), verifier: derived.subarray(32) }
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(number), 3)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

export async function* encrypt(source: AsyncIterable<Buffer>, passphrase: string): AsyncGenerator<Buffer> {
  const salt = randomBytes(saltBytes)
  const { key, verifier } = await deriveFrom(passphrase, salt)
  const header = Buffer.concat([encryptedMagic, salt, verifier])
  yield header
  for await (const { chunk, number, isLast } of numbered(inChunks(source, chunkBytes))) {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number, isLast)).setAAD(header)
    yield Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()])
  }
}

export class WrongPassphrase extends Error {
  constructor() {
    super('the passphrase is wrong')
  }
}

/** Throws for a wrong passphrase and for any byte that was changed, added or removed. */
export async function* decrypt(source: AsyncIterable<Buffer>, passphrase: string): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]()
  let header: Buffer = Buffer.alloc(0)
  while (header.length < headerBytes) {
    const { done, value } = await chunks.next()
    if (done) throw new Error('it ends in the middle')
    header = Buffer.concat([header, value])
  }
  const rest = header.subarray(headerBytes)
  header = header.subarray(0, headerBytes)
  const salt = header.subarray(encryptedMagic.length, -verifierBytes)
  const { key, verifier } = await deriveFrom(passphrase, salt)
  if (!timingSafeEqual(verifier, header.subarray(-verifierBytes))) throw new WrongPassphrase()
  async function* body() {
    yield rest
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  for await (const { chunk, number, isLast } of numbered(inChunks(body(), chunkBytes + tagBytes))) {
    if (chunk.length < tagBytes) throw new Error('it ends in the middle')
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number, isLast)).setAAD(header)
    decipher.setAuthTag(chunk.subarray(-tagBytes))
    const plain = decipher.update(chunk.subarray(0, -tagBytes))
    try {
      decipher.final()
    } catch {
      throw new Error('a part of it was changed, or its end is missing')
    }
    yield plain
  }
}

/** Holds one chunk back to know which one is the last. */
async function* numbered(chunks: AsyncIterable<Buffer>) {
  let number = 0
  let held: Buffer | undefined
  for await (const chunk of chunks) {
    if (held) yield { chunk: held, number: number++, isLast: false }
    held = chunk
  }
  if (held) yield { chunk: held, number, isLast: true }
}
