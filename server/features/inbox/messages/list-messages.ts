import type { TenantSql } from '../../../platform/database.ts'
import { notFound } from '../../../platform/errors.ts'
import { pageFigures } from '../tickets/list-tickets.ts'
import { listMessages } from './message-queries.ts'
import type { MessageFilter } from './schema.ts'

export async function pageOfMessages(sql: TenantSql, ticketId: string, filter: MessageFilter, mediaAddress: string) {
  const rows = await listMessages(sql, ticketId, filter, mediaAddress)
  const [first] = rows
  if (!first) throw notFound('Inbox ticket')
  const messages = rows.filter(({ id }) => id !== null)
  return { ...pageFigures(filter, messages.length, first.total), messages }
}
