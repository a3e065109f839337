import Type from 'typebox'
import type { TenantSql } from '../../../platform/database.ts'
import { lowestIdAt } from '../../../platform/ids.ts'

const Reached = Type.Object({ n: Type.Integer() })

/**
 * Contacts that got a template on these channels within the last 24 hours. The platform counts only those without an
 * open window, so this is the most that it may have counted.
 */
export async function countReached(sql: TenantSql, channelIds: string[]): Promise<number> {
  const since = lowestIdAt(new Date(Date.now() - 24 * 3600 * 1000))
  const { n } = await sql.one(Reached)`
    select count(distinct contact_id)::integer as n from messages
    where id >= ${since} and direction = 'outbound' and channel_id = any(${channelIds}::uuid[]) and accepted_at is not null
      and payload ? 'template'`
  return n
}
