import Type, { type Static } from 'typebox'
import type { Database } from '../../../platform/database.ts'
import { unauthorized } from '../../../platform/errors.ts'
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
  ms_left: Nullable(Type.Number()),
})
type KeyRow = Static<typeof KeyRow>

const keyPattern = /^svc_sk_(?:test|live)_[0-9A-Za-z]{32,}$/

export interface KeyCredentials {
  isKey(token: string): boolean
  authenticate(token: string): Promise<Principal>
  close(): Promise<void>
}

export function createKeyCredentials(database: Database, signals: Signals): KeyCredentials {
  // The database's clock decides when a key expires, so that all nodes agree.
  const cache = createCredentialCache(signals, async (token) => {
    const row = await database.forSystem().maybe(KeyRow)`
      select id, organization_id, mode, scopes, created_by,
        extract(epoch from least(expires_at, revoked_at) - now())::float8 * 1000 as ms_left
      from keys where token_hash = ${hashToken(token)}`
    return row && { value: principalOf(row), msLeft: row.ms_left ?? Infinity }
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
    async authenticate(token) {
      const principal = keyPattern.test(token) ? await cache.get(token) : undefined
      if (!principal) throw unauthorized()
      uses.note(principal.keyId as string, principal.scope.organizationId)
      return principal
    },
    async close() {
      cache.close()
      await uses.close()
    },
  }
}

function principalOf(row: KeyRow): Principal {
  return {
    credential: `key ${row.id}`,
    keyId: row.id,
    scope: { organizationId: row.organization_id, livemode: row.mode === 'live' },
    scopes: new Set(row.scopes),
    actor: { type: 'user', id: row.created_by },
  }
}
