import Type from 'typebox'
import type { TenantSql } from '../../platform/database.ts'

const ChannelId = Type.Object({ id: Type.String() })

/** Every channel of the organization, oldest first. Not paged: an organization has few phone numbers. */
export async function listChannelIds(sql: TenantSql): Promise<string[]> {
  const channels = await sql.all(ChannelId)`select id from channels where deleted_at is null order by id`
  return channels.map(({ id }) => id)
}
