import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { importJWK, type JWTPayload, jwtVerify } from 'jose'
import { handling, listenLocally } from './listen-locally.ts'

interface ReceivedPush {
  /** Which browser it was sent to. */
  device: string
  headers: Record<string, string | string[] | undefined>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages freely
  message: any
  claims: JWTPayload
}

interface PushService {
  received: ReceivedPush[]
  /** The statuses of the next answers; 201 after these. */
  next: (number | (() => Promise<void>))[]
  /** A browser's subscription. */
  subscribe(device: string): { endpoint: string; keys: { p256dh: string; auth: string } }
}

/** A push service that holds the keys of its browsers and decrypts what they receive (RFC 8291). */
export async function startPushService(): Promise<PushService> {
  const browsers = new Map<string, { pair: ReturnType<typeof createECDH>; auth: Buffer }>()
  const service: PushService = {
    received: [],
    next: [],
    subscribe(device) {
      const pair = createECDH('prime256v1')
      const p256dh = pair.generateKeys('base64url', 'uncompressed')
      const auth = randomBytes(16)
      browsers.set(device, { pair, auth })
      return { endpoint: `${url}/send/${device}`, keys: { p256dh, auth: auth.toString('base64url') } }
    },
  }
  const server = createServer(
    handling(async (request, response) => {
      const body = Buffer.concat(await Array.fromAsync(request))
      const device = (request.url ?? '').split('/').at(-1) as string
      const browser = browsers.get(device)
      const answer = service.next.shift()
      if (typeof answer === 'function') await answer()
      const status = typeof answer === 'number' ? answer : 201
      if (browser && status === 201)
        service.received.push({
          device,
          headers: request.headers,
          message: JSON.parse(decrypt(body, browser).toString()),
          claims: await claimsOf(String(request.headers.authorization), url),
        })
      response.writeHead(status).end()
    }),
  )
  const { url } = await listenLocally(server)
  return service
}

function decrypt(body: Buffer, { pair, auth }: { pair: ReturnType<typeof createECDH>; auth: Buffer }): Buffer {
  const [salt, keyLength] = [body.subarray(0, 16), body.readUInt8(20)]
  const senderKey = body.subarray(21, 21 + keyLength)
  const sealed = body.subarray(21 + keyLength)
  const derive = (secret: Buffer, by: Buffer, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, by, info, length))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), senderKey])
  const secret = derive(pair.computeSecret(senderKey), auth, info, 32)
  const contentKey = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const decipher = createDecipheriv('aes-128-gcm', contentKey, nonce).setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  return padded.subarray(0, padded.lastIndexOf(2))
}

async function claimsOf(authorization: string, audience: string): Promise<JWTPayload> {
  const [, token = '', key = ''] = /^vapid t=(.+), k=(.+)$/.exec(authorization) ?? []
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((each) => each.toString('base64url')) as [
    string,
    string,
  ]
  const { payload } = await jwtVerify(token, await importJWK({ kty: 'EC', crv: 'P-256', x, y }, 'ES256'), { audience })
  return payload
}
