import Type from 'typebox'
import type { TenantSql } from '../../platform/database.ts'

const SendRate = Type.Object({ messages_per_second: Type.Integer() })

/** The send rate of a channel, or undefined if it does not exist. */
export async function findSendRate(sql: TenantSql, channelId: string): Promise<number | undefined> {
  const channel = await sql.maybe(SendRate)`
    select messages_per_second from channels where id = ${channelId} and deleted_at is null`
  return channel?.messages_per_second
}
