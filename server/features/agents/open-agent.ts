import type { TenantSql } from '../../platform/database.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import { openHeaders } from './headers.ts'
import { findAgentVersion, findStoredAgent, type StoredAgent } from './queries.ts'
import type { OpenAgent } from './turn.ts'

/** An agent ready to run, current or as of one of its versions; undefined where there is none. */
export async function openAgent(
  sql: TenantSql,
  secrets: SecretBox,
  id: string,
  version?: number,
): Promise<OpenAgent | undefined> {
  const stored = version === undefined ? await findStoredAgent(sql, id) : await findAgentVersion(sql, id, version)
  return stored && opened(sql, secrets, stored)
}

const opened = ({ scope }: TenantSql, secrets: SecretBox, stored: StoredAgent): OpenAgent => ({
  id: stored.id,
  version: stored.version,
  name: stored.name,
  type: stored.agent_type,
  isActive: stored.is_active === 'active',
  timezone: stored.timezone,
  config: openHeaders(secrets, scope, stored),
})
