import Type from 'typebox'
import type { TenantSql } from '../../platform/database.ts'
import { CursorPage } from '../../platform/http/pagination.ts'
import { listChannels } from './queries.ts'
import { Channel, type ChannelFilter } from './schema.ts'

export const NamedChannels = CursorPage(Type.Pick(Channel, ['id', 'display_name', 'phone_number']))

/** The channels with their names, for a caller that has to choose one. */
export async function nameChannels(sql: TenantSql, filter: ChannelFilter) {
  const page = await listChannels(sql, filter)
  return { ...page, data: page.data.map(({ id, display_name, phone_number }) => ({ id, display_name, phone_number })) }
}
