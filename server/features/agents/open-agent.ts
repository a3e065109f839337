import type { TenantSql } from '../../platform/database.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import { isOpenNow } from '../schedules/is-open-now.ts'
import type { OpenAgent } from './answering/turn.ts'
import type { AgentConfig } from './config/config-schema.ts'
import { openHeaders } from './config/headers.ts'
import { findStoredAgent } from './queries.ts'

/** An agent ready to run; undefined where there is none. */
export async function openAgent(sql: TenantSql, secrets: SecretBox, id: string): Promise<OpenAgent | undefined> {
  const stored = await findStoredAgent(sql, id)
  if (!stored) return undefined
  return {
    id: stored.id,
    version: stored.version,
    name: stored.name,
    type: stored.agent_type,
    isActive: stored.is_active === 'active',
    timezone: stored.timezone,
    config: await forThisHour(sql, openHeaders(secrets, sql.scope, stored)),
  }
}

/** Without the transfer targets that are closed. Outside the business hours of its transfers the agent has none. */
async function forThisHour(sql: TenantSql, config: AgentConfig): Promise<AgentConfig> {
  const { schedule_id, transfers } = config.business_hours
  const { transfer_number, transfer_targets: targets } = config.call_settings
  const isOpen = async (id: string | null) => id === null || (await isOpenNow(sql, id))
  if (transfers === 'open' && !(await isOpen(schedule_id)))
    return { ...config, call_settings: { ...config.call_settings, transfer_number: null, transfer_targets: [] } }
  const open = await Promise.all(targets.map((target) => isOpen(target.schedule_id)))
  const transfer_targets = targets.filter((_, index) => open[index])
  const first = transfer_number ?? transfer_targets[0]?.number ?? null
  return { ...config, call_settings: { ...config.call_settings, transfer_number: first, transfer_targets } }
}
