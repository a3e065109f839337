import { newId } from '../../platform/ids.ts'
import { hashToken, randomToken } from '../../platform/secrets.ts'
import type { Sql } from '../../platform/sql.ts'
import { Key, type Scope } from './schema.ts'

interface KeyInput {
  organizationId: string
  name: string
  mode: 'test' | 'live'
  scopes: readonly Scope[]
  expiresAt?: string | null | undefined
  createdBy?: string | null
  allowedIps?: readonly string[] | null | undefined
}

/** Creates a key. Only its hash is stored: the secret leaves the service once, with the return value. */
export async function createKey(tx: Sql, input: KeyInput, secret = newSecret(input.mode)) {
  const key = await tx.one(Key)`
    insert into keys
      (organization_id, id, name, mode, scopes, token_hash, prefix, last_four, expires_at, created_by,
      allowed_ips)
    values (${input.organizationId}, ${newId()}, ${input.name.trim()}, ${input.mode}, ${[...new Set(input.scopes)]},
      ${hashToken(secret)}, ${prefixOf(input.mode)}, ${secret.slice(-4)}, ${input.expiresAt ?? null},
      ${input.createdBy ?? null}, ${input.allowedIps ?? null})
    returning id, organization_id, name, mode, scopes, allowed_ips, prefix, last_four, expires_at, last_used_at, revoked_at,
      created_by, created_at`
  return { ...key, secret }
}

const prefixOf = (mode: 'test' | 'live') => `svc_sk_${mode}_`

const newSecret = (mode: 'test' | 'live') => prefixOf(mode) + randomToken()
