import type { TenantSql } from '../../../platform/database.ts'
import { badRequest } from '../../../platform/errors.ts'
import { type TicketFilter, ticketStatuses } from '../schema.ts'
import { listTickets } from './list-queries.ts'

const isStatus = (text: string): text is (typeof ticketStatuses)[number] =>
  (ticketStatuses as readonly string[]).includes(text)

export async function pageOfTickets(sql: TenantSql, filter: Omit<TicketFilter, 'status'> & { status?: string }) {
  const { status, ...others } = filter
  if (status !== undefined && !isStatus(status)) throw badRequest('status must be `open` or `closed`')
  const rows = await listTickets(sql, { ...others, ...(status !== undefined && { status }) })
  const inboxes = rows.filter(({ id }) => id !== null)
  return { ...pageFigures(filter, inboxes.length, rows[0]?.total ?? 0), inboxes }
}

export const pageFigures = ({ limit, offset }: { limit: number; offset: number }, size: number, total: number) => ({
  total,
  page: Math.floor(offset / limit) + 1,
  size,
})
