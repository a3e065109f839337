import {
  argon2,
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  randomInt,
  timingSafeEqual,
} from 'node:crypto'
import { promisify } from 'node:util'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** 43 characters of base62 hold 256 bits. */
const tokenLength = 43

export function randomToken(length = tokenLength): string {
  let token = ''
  while (token.length < length) token += base62[randomInt(62)]
  return token
}

/** A token as long and random as the one it is derived from; deriving it requires the seed too. */
export function deriveToken(token: string, seed: Buffer): string {
  let rest = BigInt(`0x${createHmac('sha512', seed).update(token).digest('hex')}`)
  let derived = ''
  for (; derived.length < tokenLength; rest /= 62n) derived += base62[Number(rest % 62n)]
  return derived
}

/** Tokens are long and random, so an unsalted hash is enough to protect them at rest. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

export interface SecretBox {
  seal(plaintext: string, context: string): Buffer
  /** Opens what was sealed with SECRET_KEY or, during a rotation, with SECRET_KEY_PREVIOUS. */
  open(sealed: Buffer, context: string): string
  /** The same secret sealed with SECRET_KEY, or undefined if it already is. */
  reseal(sealed: Buffer, context: string): Buffer | undefined
  /** A keyed hash: equal texts have equal digests, and a digest can be neither computed nor tested without the key. */
  digest(text: string, purpose: string): Buffer
}

const derivedKey = (secretKey: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, 'frontdesk', purpose, 32))

/** The first SECRET_KEY of an installation determines the digest key; see open-secrets.ts. */
export const digestKeyOf = (secretKey: string): Buffer => derivedKey(secretKey, 'digest v1')

/** Tells keys apart without revealing them. */
export const fingerprintOf = (secretKey: string): string =>
  derivedKey(secretKey, 'fingerprint v1').subarray(0, 8).toString('hex')

/**
 * AES-256-GCM under a key derived from SECRET_KEY. The context (which record the secret belongs to) is authenticated,
 * so a ciphertext copied to another record does not open there.
 */
export function createSecretBox(
  secretKey: string,
  { previousKey, digestKey = digestKeyOf(secretKey) }: { previousKey?: string | undefined; digestKey?: Buffer } = {},
): SecretBox {
  const key = derivedKey(secretKey, sealing)
  const previous = previousKey === undefined ? undefined : derivedKey(previousKey, sealing)

  function openAny(sealed: Buffer, context: string): { text: string; isCurrent: boolean } {
    try {
      return { text: openWith(key, sealed, context), isCurrent: true }
    } catch (error) {
      if (!previous) throw error
      return { text: openWith(previous, sealed, context), isCurrent: false }
    }
  }
  const seal: SecretBox['seal'] = (plaintext, context) => {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
    const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
    return Buffer.concat([Buffer.from([1]), nonce, cipher.getAuthTag(), body])
  }
  return {
    digest: (text, purpose) => createHmac('sha256', digestKey).update(`${purpose}\0${text}`).digest(),
    seal,
    open: (sealed, context) => openAny(sealed, context).text,
    reseal(sealed, context) {
      const { text, isCurrent } = openAny(sealed, context)
      return isCurrent ? undefined : seal(text, context)
    },
  }
}

const sealing = 'secret box v1'

function openWith(key: Buffer, sealed: Buffer, context: string): string {
  if (sealed[0] !== 1) throw new Error('a sealed secret has an unknown version')
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 13)).setAAD(Buffer.from(context))
  decipher.setAuthTag(sealed.subarray(13, 29))
  return Buffer.concat([decipher.update(sealed.subarray(29)), decipher.final()]).toString('utf8')
}

const argon2Async = promisify(argon2)

// OWASP's minimum for argon2id. The parameters are stored with each hash, so they can be raised later.
const cost = { memory: 19_456, passes: 2, parallelism: 1 }

export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await argon2Async('argon2id', { message: password, nonce, tagLength: 32, ...cost })
  return passwordHash(nonce, tag)
}

function passwordHash(nonce: Buffer, tag: Buffer): string {
  const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(nonce)}$${unpadded(tag)}`
}

/**
 * No password has this hash. Checking against it takes as long as checking a real one, so response times do not reveal
 * which accounts exist.
 */
export const nobodysPasswordHash = passwordHash(randomBytes(16), randomBytes(32))

export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored)
  if (!match) return false
  const [, memory, passes, parallelism, nonce, expected] = match as unknown as string[]
  const tag = Buffer.from(expected as string, 'base64')
  const actual = await argon2Async('argon2id', {
    message: password,
    nonce: Buffer.from(nonce as string, 'base64'),
    tagLength: tag.length,
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  })
  return timingSafeEqual(actual, tag)
}
