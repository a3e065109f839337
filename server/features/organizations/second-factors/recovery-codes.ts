import { randomInt } from 'node:crypto'
import type { SecretBox } from '../../../platform/secrets.ts'

/** Without letters and digits that look alike. Ten of them hold 49 bits. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'
const length = 10
const count = 10

export function newRecoveryCodes(): string[] {
  const newCode = () => Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
  return Array.from({ length: count }, newCode).map((code) => `${code.slice(0, 5)}-${code.slice(5)}`)
}

/** Keyed, because a plain hash of so short a code could be reversed. */
export const recoveryCodeDigest = (secrets: SecretBox, userId: string, code: string): Buffer =>
  secrets.digest(code.toLowerCase().replace(/[^0-9a-z]/g, ''), `recovery code ${userId}`)
