import Type, { type Static } from 'typebox'
import type { Database } from '../../platform/database.ts'
import { unauthorized } from '../../platform/errors.ts'
import type { Principal } from '../../platform/http/principal.ts'
import { Id, Instant, Nullable } from '../../platform/schemas.ts'
import { hashToken } from '../../platform/secrets.ts'
import type { Signals } from '../../platform/signals.ts'

const KeyRow = Type.Object({
  id: Id,
  organization_id: Id,
  mode: Type.String(),
  scopes: Type.Array(Type.String()),
  expires_at: Nullable(Instant),
  created_by: Nullable(Id),
})
type KeyRow = Static<typeof KeyRow>

interface Cached {
  principal: Principal | undefined
  expiresAtMs: number
  readAtMs: number
}

/**
 * Keys are asked for on every request and change rarely: each node remembers what it read for three seconds, and
 * forgets at once when it hears of a revocation. So a revoked key is refused everywhere within five seconds even
 * when the hint is lost.
 */
const rememberForMs = 3_000
const maxRemembered = 10_000

/** `last_used_at` is a hint for people: a minute's precision is enough. */
const noteUseEveryMs = 5_000

const keyPattern = /^svc_sk_(?:test|live)_[0-9A-Za-z]{32,}$/

export const credentialsChannel = 'credentials'

export interface KeyCredentials {
  isKey(token: string): boolean
  authenticate(token: string): Promise<Principal>
  close(): Promise<void>
}

export function createKeyCredentials(database: Database, signals: Signals): KeyCredentials {
  const remembered = new Map<string, Cached>()
  const used = new Set<string>()
  const stopListening = signals.on(credentialsChannel, () => remembered.clear())

  async function read(token: string): Promise<Cached> {
    const row = await database.forSystem().maybe(KeyRow)`
      select id, organization_id, mode, scopes, expires_at, created_by from keys
      where token_hash = ${hashToken(token)} and (revoked_at is null or revoked_at > now())`
    if (remembered.size >= maxRemembered) remembered.clear()
    const cached = {
      principal: row && principalOf(row),
      expiresAtMs: row?.expires_at ? Date.parse(row.expires_at) : Infinity,
      readAtMs: performance.now(),
    }
    // Unknown tokens are endless; remembering them would let a stranger push out the known ones.
    if (row) remembered.set(token, cached)
    return cached
  }

  const noteUses = async () => {
    const ids = [...used]
    used.clear()
    if (ids.length === 0) return
    await database.forSystem().run`
      update keys set last_used_at = now()
      where id = any(${ids}::uuid[]) and (last_used_at is null or last_used_at < now() - interval '1 minute')`
  }
  const timer = setInterval(() => noteUses().catch(() => {}), noteUseEveryMs).unref()

  return {
    isKey: (token) => token.startsWith('svc_sk_'),
    async authenticate(token) {
      if (!keyPattern.test(token)) throw unauthorized()
      let cached = remembered.get(token)
      if (!cached || performance.now() - cached.readAtMs > rememberForMs) cached = await read(token)
      if (!cached.principal || cached.expiresAtMs <= Date.now()) throw unauthorized()
      used.add(cached.principal.keyId as string)
      return cached.principal
    },
    async close() {
      clearInterval(timer)
      stopListening()
      await noteUses().catch(() => {})
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
