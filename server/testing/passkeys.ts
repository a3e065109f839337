import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

interface Challenge {
  challenge: string
  rpId?: string
  rp?: { id?: string }
}

interface TestAuthenticator {
  /** The answer to `navigator.credentials.create`. */
  create(options: Challenge, origin: string): Record<string, unknown>
  /** The answer to `navigator.credentials.get`. */
  get(options: Challenge, origin: string, change?: { isVerified?: boolean }): Record<string, unknown>
}

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest()
const flags = { present: 1, verified: 4, hasKey: 64 }

/** A passkey in software, with a key on the curve P-256. */
export function testAuthenticator(): TestAuthenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  let counter = 0
  const clientData = (type: string, challenge: string, origin: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const dataFor = (rpId: string, bits: number, ...rest: Buffer[]) => {
    const head = Buffer.alloc(5)
    head[0] = bits
    head.writeUInt32BE(counter++, 1)
    return Buffer.concat([sha256(rpId), head, ...rest])
  }
  const credential = (response: Record<string, Buffer>) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response: Object.fromEntries(Object.entries(response).map(([name, bytes]) => [name, bytes.toString('base64url')])),
  })
  return {
    create({ challenge, rp }, origin) {
      const key = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ])
      const length = Buffer.from([0, id.length])
      const bits = flags.present | flags.verified | flags.hasKey
      const authData = dataFor(rp?.id ?? '', bits, Buffer.alloc(16), length, id, Buffer.from(isoCBOR.encode(key)))
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authData)],
      ])
      return credential({
        clientDataJSON: clientData('webauthn.create', challenge, origin),
        attestationObject: Buffer.from(isoCBOR.encode(attestation as never)),
      })
    },
    get({ challenge, rpId = '' }, origin, { isVerified = true } = {}) {
      const authenticatorData = dataFor(rpId, flags.present | (isVerified ? flags.verified : 0))
      const clientDataJSON = clientData('webauthn.get', challenge, origin)
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientDataJSON)]), privateKey)
      return credential({ clientDataJSON, authenticatorData, signature })
    },
  }
}
