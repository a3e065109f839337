import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'

/** The keys of a browser's push subscription. */
export interface PushKeys {
  /** A point on P-256, uncompressed. */
  p256dh: Buffer
  auth: Buffer
}

/** Identifies this installation to push services (VAPID, RFC 8292). */
export interface PushSender {
  publicKey: string
  /** The value of the `Authorization` header for requests to this origin. */
  authorize(origin: string): Promise<string>
}

const algorithm = 'ES256'
/** Push services accept at most a day. */
const tokenHours = 12

export async function createPushKey(): Promise<string> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true })
  return JSON.stringify(await exportJWK(privateKey))
}

/** `sender` is a URL or a `mailto:` address, where the operator of a push service can complain. */
export function createPushSender(key: string, sender: string): PushSender {
  const jwk: JWK = JSON.parse(key)
  const point = [jwk.x, jwk.y].map((each) => Buffer.from(each as string, 'base64url'))
  const publicKey = Buffer.concat([Buffer.from([4]), ...point]).toString('base64url')
  const signing = importJWK(jwk, algorithm)
  return {
    publicKey,
    async authorize(origin) {
      const token = await new SignJWT()
        .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
        .setAudience(origin)
        .setSubject(sender)
        .setExpirationTime(`${tokenHours}h`)
        .sign(await signing)
      return `vapid t=${token}, k=${publicKey}`
    },
  }
}

/** A message longer than this, less 17 bytes, would need a second record. */
const recordSize = 4096
/** Encrypts a message for a browser as one record of `aes128gcm` (RFC 8291, RFC 8188). */
export function encryptPush(message: Buffer, { p256dh, auth }: PushKeys): Buffer {
  const pair = createECDH('prime256v1')
  const ownKey = pair.generateKeys()
  const derive = (secret: Buffer, salt: Buffer, info: (string | Buffer)[], length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, Buffer.concat(info.map((each) => Buffer.from(each))), length))
  const secret = derive(pair.computeSecret(p256dh), auth, ['WebPush: info\0', p256dh, ownKey], 32)
  const salt = randomBytes(16)
  const contentKey = derive(secret, salt, ['Content-Encoding: aes128gcm\0'], 16)
  const nonce = derive(secret, salt, ['Content-Encoding: nonce\0'], 12)
  const cipher = createCipheriv('aes-128-gcm', contentKey, nonce)
  const size = Buffer.alloc(4)
  size.writeUInt32BE(recordSize)
  // The byte 2 ends the last record.
  const body = [cipher.update(message), cipher.update(Buffer.from([2])), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat([salt, size, Buffer.from([ownKey.length]), ownKey, ...body])
}

/** Whether the bytes are a public key and a secret as browsers create them. */
export function arePushKeys({ p256dh, auth }: PushKeys): boolean {
  try {
    const pair = createECDH('prime256v1')
    pair.generateKeys()
    pair.computeSecret(p256dh)
    return p256dh.length === 65 && auth.length === 16
  } catch {
    return false
  }
}
