import { sealedColumn } from '../../../platform/reseal.ts'
import type { SecretBox } from '../../../platform/secrets.ts'

const contextOf = (userId: string) => `authenticator ${userId}`

export const sealTotpSecret = (secrets: SecretBox, userId: string, secret: string): Buffer =>
  secrets.seal(secret, contextOf(userId))

export const openTotpSecret = (secrets: SecretBox, userId: string, sealed: Buffer): string =>
  secrets.open(sealed, contextOf(userId))

export const sealedAuthenticators = sealedColumn({
  table: 'authenticators',
  column: 'sealed_secret',
  key: { user_id: 'uuid' },
  context: ({ user_id }) => contextOf(user_id),
})
