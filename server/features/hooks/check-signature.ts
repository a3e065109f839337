import { createHmac, timingSafeEqual } from 'node:crypto'

const signaturePattern = /^sha256=([0-9a-f]{64})$/i

/** The signature of `X-Hub-Signature-256`, or undefined when it is malformed. */
export function readSignature(header: unknown): Buffer | undefined {
  const hex = typeof header === 'string' ? signaturePattern.exec(header)?.[1] : undefined
  return hex === undefined ? undefined : Buffer.from(hex, 'hex')
}

/** Over the raw bytes: the platform's escapes would not survive parsing and serializing. */
export function isSignedWith(secret: string, body: Buffer, signature: Buffer): boolean {
  return timingSafeEqual(createHmac('sha256', secret).update(body).digest(), signature)
}

/** Constant time. */
export function isSameWord(given: string, expected: string): boolean {
  const digest = (text: string) => createHmac('sha256', 'verify token').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
