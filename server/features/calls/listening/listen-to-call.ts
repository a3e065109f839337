import { timingSafeEqual } from 'node:crypto'
import type { TenantTx } from '../../../platform/database.ts'
import { conflict, found } from '../../../platform/errors.ts'
import type { SecretBox } from '../../../platform/secrets.ts'
import { recordAction } from '../../audit/record-action.ts'
import { type Addresses, listenPath, toSocketUrl } from '../addresses.ts'
import { findCall } from '../queries.ts'

/** How long the token of a listener is valid for opening the socket. */
const validSeconds = 60

export interface ListenDependencies {
  addresses: Addresses
  secrets: SecretBox
}

/** Lets a member listen to a running call, and records that in the audit log. */
export async function listenToCall(tx: TenantTx, id: string, { addresses, secrets }: ListenDependencies) {
  const call = found(await findCall(tx, id), 'Call')
  if (call.status !== 'in-progress' || call.telephony_status !== 'in-progress')
    throw conflict('This call is not in conversation: only running calls can be listened to')
  await recordAction(tx, 'call.listened', { id })
  const expiresAt = Date.now() + validSeconds * 1000
  return {
    access_token: `${expiresAt}.${signatureOf(secrets, id, expiresAt).toString('base64url')}`,
    ws_url: toSocketUrl(addresses.publicUrl ?? addresses.own()) + listenPath(id),
    expires_at: new Date(expiresAt).toISOString(),
  }
}

/** Whether the token is of this call and still valid. It is signed, not stored, so every node knows it. */
export function isListener(secrets: SecretBox, id: string, token: string): boolean {
  const [, expires = '', signature = ''] = /^(\d{13})\.([\w-]{1,100})$/.exec(token) ?? []
  const expected = signatureOf(secrets, id, Number(expires))
  const given = Buffer.from(signature, 'base64url')
  return given.length === expected.length && timingSafeEqual(given, expected) && Number(expires) > Date.now()
}

const signatureOf = (secrets: SecretBox, id: string, expiresAt: number): Buffer =>
  secrets.digest(`${id} ${expiresAt}`, 'call listening token')
