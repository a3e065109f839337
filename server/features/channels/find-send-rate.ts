import Type from 'typebox'
import type { TenantSql } from '../../platform/database.ts'

const SendRate = Type.Object({ messages_per_second: Type.Integer() })

/** How fast a channel may send; nothing where there is no such channel. */
export async function findSendRate(sql: TenantSql, channelId: string): Promise<number | undefined> {
  const channel = await sql.maybe(SendRate)`
    select messages_per_second from channels where id = ${channelId} and deleted_at is null`
  return channel?.messages_per_second
}
