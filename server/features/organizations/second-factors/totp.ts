import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Codes of authenticator apps, as RFC 6238 describes them, with the values that every app supports. */
const stepSeconds = 30
const digits = 6
/** A code of the previous or next step is accepted too: clocks differ, and typing takes a while. */
const tolerance = 1

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** 160 bits, as RFC 4226 recommends, in base32. */
export function newTotpSecret(): string {
  let bits = BigInt(`0x${randomBytes(20).toString('hex')}`)
  let text = ''
  for (let n = 0; n < 32; n++, bits >>= 5n) text = alphabet[Number(bits & 31n)] + text
  return text
}

function bytesOf(secret: string): Buffer {
  const bits = [...secret].reduce((sum, letter) => (sum << 5n) | BigInt(alphabet.indexOf(letter)), 0n)
  const hexDigits = Math.floor((secret.length * 5) / 8) * 2
  return Buffer.from(bits.toString(16).padStart(hexDigits, '0'), 'hex')
}

export const totpStep = (time: number): number => Math.floor(time / 1000 / stepSeconds)

export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', bytesOf(secret)).update(counter).digest()
  const offset = (hash.at(-1) as number) & 15
  const number = (hash.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits
  return String(number).padStart(digits, '0')
}

/** The step whose code this is, or undefined. */
export function stepOfCode(secret: string, code: string, time: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const now = totpStep(time)
  const steps = Array.from({ length: 2 * tolerance + 1 }, (_, n) => now - tolerance + n)
  return steps.find((step) => timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(code)))
}

/** The address that authenticator apps read from a QR code. Algorithm, digits and period are the defaults. */
export function totpUri(secret: string, account: string): string {
  const label = encodeURIComponent(`Frontdesk:${account}`)
  return `otpauth://totp/${label}?secret=${secret}&issuer=Frontdesk`
}
