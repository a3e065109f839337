import { timingSafeEqual } from 'node:crypto'
import type { TenantTx } from '../../../platform/database.ts'
import { conflict, found } from '../../../platform/errors.ts'
import type { CredentialHolder } from '../../../platform/http/principal.ts'
import type { SecretBox } from '../../../platform/secrets.ts'
import { recordAction } from '../../audit/record-action.ts'
import { type Addresses, listenPath, toSocketUrl } from '../carriers/addresses.ts'
import { findCall } from '../queries.ts'

/** How long the token of a listener is valid for opening the socket. */
const validSeconds = 60

export interface ListenDependencies {
  addresses: Addresses
  secrets: SecretBox
}

/** Lets a member listen to a running call, and records that in the audit log. */
export async function listenToCall(
  tx: TenantTx,
  id: string,
  holder: CredentialHolder,
  { addresses, secrets }: ListenDependencies,
) {
  const call = found(await findCall(tx, id), 'Call')
  if (call.status !== 'in-progress' || call.telephony_status !== 'in-progress')
    throw conflict('This call is not in conversation: only running calls can be listened to')
  await recordAction(tx, 'call.listened', { id })
  const expiresAt = Date.now() + validSeconds * 1000
  const signed = `${expiresAt}.${Buffer.from(JSON.stringify(holder)).toString('base64url')}`
  return {
    access_token: `${signed}.${signatureOf(secrets, id, signed).toString('base64url')}`,
    ws_url: toSocketUrl(addresses.publicUrl ?? addresses.own()) + listenPath(id),
    expires_at: new Date(expiresAt).toISOString(),
  }
}

/**
 * Whose token this is; undefined if it is of another call or no longer valid. It is signed, not stored, so every node
 * knows it.
 */
export function readListener(secrets: SecretBox, id: string, token: string): CredentialHolder | undefined {
  const [, signed = '', expires = '', holder = '', signature = ''] =
    /^((\d{13})\.([\w-]{1,1000}))\.([\w-]{1,100})$/.exec(token) ?? []
  const expected = signatureOf(secrets, id, signed)
  const given = Buffer.from(signature, 'base64url')
  const isSigned = given.length === expected.length && timingSafeEqual(given, expected)
  if (!isSigned || Number(expires) <= Date.now()) return undefined
  return JSON.parse(Buffer.from(holder, 'base64url').toString()) as CredentialHolder
}

const signatureOf = (secrets: SecretBox, id: string, signed: string): Buffer =>
  secrets.digest(`${id} ${signed}`, 'call listening token')
