import Type, { type Static } from 'typebox'
import { contains } from '../../../platform/address-ranges.ts'
import type { Database } from '../../../platform/database.ts'
import { addressNotAllowed, organizationSuspended, refusedTo, unauthorized } from '../../../platform/errors.ts'
import { unmapped } from '../../../platform/http/client-address.ts'
import type { Principal } from '../../../platform/http/principal.ts'
import { Id, Nullable } from '../../../platform/schemas.ts'
import { hashToken } from '../../../platform/secrets.ts'
import type { Signals } from '../../../platform/signals.ts'
import { createCredentialCache } from './credential-cache.ts'
import { createUseNotes } from './note-uses.ts'

const KeyRow = Type.Object({
  id: Id,
  organization_id: Id,
  mode: Type.String(),
  scopes: Type.Array(Type.String()),
  created_by: Nullable(Id),
  allowed_ips: Nullable(Type.Array(Type.String())),
  is_suspended: Type.Boolean(),
  requests_per_minute: Nullable(Type.Integer()),
  ms_left: Nullable(Type.Number()),
})
type KeyRow = Static<typeof KeyRow>

const keyPattern = /^svc_sk_(?:test|live)_[0-9A-Za-z]{32,}$/

export interface KeyCredentials {
  isKey(token: string): boolean
  /** The caller's address is checked against the key's list. */
  authenticate(token: string, address: string): Promise<Principal>
  close(): Promise<void>
}

export function createKeyCredentials(database: Database, signals: Signals): KeyCredentials {
  // The database's clock decides when a key expires, so that all nodes agree.
  const cache = createCredentialCache(signals, async (token) => {
    const row = await database.forAccess().maybe(KeyRow)`
      select keys.id, organization_id, mode, scopes, created_by, allowed_ips,
        suspended_at is not null as is_suspended, requests_per_minute,
        extract(epoch from least(expires_at, revoked_at) - now())::float8 * 1000 as ms_left
      from keys join organizations on organizations.id = organization_id where token_hash = ${hashToken(token)}`
    return row && { value: keyOf(row), msLeft: row.ms_left ?? Infinity }
  })

  const uses = createUseNotes<string>(
    (used) => database.forSystem().run`
      update keys set last_used_at = now()
      from unnest(${[...used.keys()]}::uuid[], ${[...used.values()]}::uuid[]) used (id, organization_id)
      where keys.id = used.id and keys.organization_id = used.organization_id
        and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
  )

  return {
    isKey: (token) => token.startsWith('svc_sk_'),
    async authenticate(token, address) {
      const key = keyPattern.test(token) ? await cache.get(token) : undefined
      if (!key) throw unauthorized()
      const { principal, isAllowedFrom, isSuspended } = key
      if (isAllowedFrom && !isAllowedFrom(unmapped(address))) throw refusedTo(principal.credential, addressNotAllowed())
      if (isSuspended) throw refusedTo(principal.credential, organizationSuspended())
      uses.note(principal.keyId as string, principal.scope.organizationId)
      return principal
    },
    async close() {
      cache.close()
      await uses.close()
    },
  }
}

const keyOf = (row: KeyRow) => ({
  principal: principalOf(row),
  isSuspended: row.is_suspended,
  isAllowedFrom: row.allowed_ips && contains(row.allowed_ips),
})

function principalOf(row: KeyRow): Principal {
  return {
    credential: `key ${row.id}`,
    keyId: row.id,
    scope: { organizationId: row.organization_id, livemode: row.mode === 'live' },
    scopes: new Set(row.scopes),
    actor: { type: 'user', id: row.created_by },
    requestsPerMinute: row.requests_per_minute,
  }
}
