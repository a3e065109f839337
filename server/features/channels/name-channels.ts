import type { TenantSql } from '../../platform/database.ts'
import { toCursorPage } from '../../platform/http/pagination.ts'
import { type ChannelRow, listChannels } from './queries.ts'

/** Which channels there are, for whoever has to choose one. */
export async function nameChannels(sql: TenantSql, filter: { limit: number; starting_after?: string | undefined }) {
  const page = toCursorPage<ChannelRow>(await listChannels(sql, filter), filter.limit)
  return { ...page, data: page.data.map(({ id, display_name, phone_number }) => ({ id, display_name, phone_number })) }
}
