import type { TenantSql } from '../../../platform/database.ts'
import { badRequest, invalid } from '../../../platform/errors.ts'
import { listTickets, searchTickets, type TicketConditions } from './list-queries.ts'
import { type queues, type TicketFilter, ticketStatuses } from './schema.ts'

const isStatus = (text: string): text is (typeof ticketStatuses)[number] =>
  (ticketStatuses as readonly string[]).includes(text)

/** For callers without a member, such as a key without a creator: no ticket is assigned to this id. */
const noMember = '00000000-0000-0000-0000-000000000000'

type Queue = (typeof queues)[number]

/** What a queue selects among the open tickets. The counts of the queues select the same. */
function conditionsOfQueue(queue: Queue, memberId: string | null): TicketConditions {
  const awake = { status: 'open', snoozed: false } as const
  switch (queue) {
    case 'mine':
      return { ...awake, assignee_id: memberId ?? noMember }
    case 'unassigned':
      return { ...awake, unassigned: true, answered_by_ai: false }
    case 'needs_person':
      return { ...awake, waiting: true, answered_by_ai: false }
    case 'ai':
      return { ...awake, answered_by_ai: true }
    case 'all':
      return awake
    case 'snoozed':
      return { status: 'open', snoozed: true }
  }
}

export async function pageOfTickets(
  sql: TenantSql,
  filter: Omit<TicketFilter, 'status'> & { status?: string },
  memberId: string | null,
) {
  const { status, queue, search, sort: order = 'last_activity_at', limit, offset, ...others } = filter
  if (status !== undefined && !isStatus(status)) throw badRequest('status must be `open` or `closed`')
  if (queue && status === 'closed') throw invalid(['query', 'queue'], 'Queues have open tickets only: remove status')
  const conditions = {
    ...others,
    ...(status !== undefined && { status }),
    ...(queue && conditionsOfQueue(queue, memberId)),
  }
  if (queue === 'mine' && others.assignee_id !== undefined && others.assignee_id !== memberId)
    throw invalid(['query', 'assignee_id'], 'The tickets of the queue mine are assigned to you: remove assignee_id')
  if (order !== 'last_activity_at') checkOrder(order, conditions, search)
  const page = { limit, offset }
  const rows = search
    ? await searchTickets(sql, conditions, search, page)
    : await listTickets(sql, conditions, { ...page, order })
  const inboxes = rows.filter(({ id }) => id !== null)
  return { ...pageFigures(filter, inboxes.length, rows[0]?.total ?? 0), inboxes }
}

/** Closed tickets are many and do not wait: no index has them in these orders. */
function checkOrder(order: string, { status }: TicketConditions, search: string | undefined): void {
  if (search) throw invalid(['query', 'sort'], 'Matches of a search are sorted by last_activity_at: remove sort')
  if (status !== 'open')
    throw invalid(['query', 'sort'], `Only open tickets can be sorted by ${order}: add status=open or a queue`)
}

export const pageFigures = ({ limit, offset }: { limit: number; offset: number }, size: number, total: number) => ({
  total,
  page: Math.floor(offset / limit) + 1,
  size,
})
