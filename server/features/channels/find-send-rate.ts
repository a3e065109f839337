import Type from 'typebox'
import type { TenantSql } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'

/** The platform's limit for a number that the WhatsApp Business app uses too. */
const coexistencePerSecond = 20

/** Messages per second of the channel `c`. */
export const sendRate = sql`least(c.messages_per_second, case when c.coexistence then ${coexistencePerSecond}::integer end)`

const SendRate = Type.Object({ rate: Type.Integer() })

/** The send rate of a channel, or undefined if it does not exist. */
export async function findSendRate(tenant: TenantSql, channelId: string): Promise<number | undefined> {
  const channel = await tenant.maybe(SendRate)`
    select ${sendRate} as rate from channels c where id = ${channelId} and deleted_at is null`
  return channel?.rate
}
