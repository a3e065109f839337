import type { TenantSql } from '../../../platform/database.ts'
import { conflict } from '../../../platform/errors.ts'
import { findClash, type NewChannelRow } from '../queries.ts'

/** A phone number, and each platform's id of it, belongs to one channel. Throws 409 with the id of that channel. */
export async function refuseClash(sql: TenantSql, channel: NewChannelRow): Promise<void> {
  const { phone_number, chat, voice } = channel
  const other = await findClash(sql, channel)
  if (!other) return
  if (other.phone_number === phone_number)
    throw conflict(`A channel with the phone number ${phone_number} exists already`, other.id)
  const [name, id] =
    chat && other.chat_number === chat.phone_number_id
      ? ['chat.phone_number_id', chat.phone_number_id]
      : ['voice.phone_number_id', voice?.phone_number_id]
  throw conflict(`A channel with the ${name} ${id} exists already`, other.id)
}
