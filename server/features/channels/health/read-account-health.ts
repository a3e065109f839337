import type { TenantSql } from '../../../platform/database.ts'
import { findAccountHealth } from './health-queries.ts'
import type { Health } from './health-schema.ts'
import { showHealth, whyBlocked } from './show-health.ts'

/** Health of a channel, and all channels that share its messaging limit. */
export async function readAccountHealth(
  sql: TenantSql,
  channelId: string,
): Promise<{ health: Health | null; channelIds: string[] }> {
  const found = await findAccountHealth(sql, channelId)
  return { health: showHealth(found?.health ?? null), channelIds: found?.channel_ids ?? [] }
}

/** Why the platform would refuse a campaign on this channel that starts then; undefined if it would not. */
export const findBlock = async (sql: TenantSql, channelId: string, startsAt: Date): Promise<string | undefined> =>
  whyBlocked((await readAccountHealth(sql, channelId)).health, startsAt)
