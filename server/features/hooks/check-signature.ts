import { createHmac, timingSafeEqual } from 'node:crypto'

const signaturePattern = /^sha256=([0-9a-f]{64})$/i

/** The signature of `X-Hub-Signature-256`, or undefined when there is none that could be right. */
export function readSignature(header: unknown): Buffer | undefined {
  const hex = typeof header === 'string' ? signaturePattern.exec(header)?.[1] : undefined
  return hex === undefined ? undefined : Buffer.from(hex, 'hex')
}

/** Over the bytes as they came: the platform's escapes would not survive being parsed and written again. */
export function isSignedWith(secret: string, body: Buffer, signature: Buffer): boolean {
  return timingSafeEqual(createHmac('sha256', secret).update(body).digest(), signature)
}

/** Takes as long whatever the words are. */
export function isSameWord(given: string, expected: string): boolean {
  const digest = (text: string) => createHmac('sha256', 'verify token').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
