import Type from 'typebox'
import type { TenantSql } from '../../../platform/database.ts'
import { type Fragment, joinSql, sql } from '../../../platform/sql.ts'
import { searchPatterns } from '../../contacts/search-patterns.ts'
import type { TicketFilter, TicketWithContact } from '../schema.ts'
import { withContact } from './ticket-queries.ts'

/** One row of the page, with the total. Its columns are null if the page is empty. */
const TicketRow = Type.Unsafe<TicketWithContact & { total: number }>({})

/** One page with its total, most recently active first. The subquery for the ids can use an index-only scan. */
export function listTickets(tx: TenantSql, filter: TicketFilter) {
  if (filter.search) return searchTickets(tx, filter, filter.search)
  return tx.all(TicketRow)`
    select page.*, total from
      (select ${totalOf(filter)} as total) total
      left join lateral (
        select ${withContact} from tickets where id in (${pageOf(filter)}) ${lastActiveFirst}
      ) page on true`
}

const lastActiveFirst = sql`order by last_activity_at desc, id desc`

/** Totals come from the counters in `ticket_counts`. A contact has few tickets, so those are counted. */
function totalOf(filter: TicketFilter): Fragment {
  if (filter.contact_id !== undefined) return sql`(select count(*) from tickets where ${conditionsOf(filter)})`
  const { status, assignee_id, unread } = filter
  const counted: Fragment[] = []
  if (status !== undefined) counted.push(sql`status = ${status}`)
  if (assignee_id !== undefined) counted.push(sql`assignee_id = ${assignee_id}`)
  if (unread !== undefined) counted.push(sql`unread = ${unread}`)
  return sql`(select coalesce(sum(n), 0)::bigint from ticket_counts where ${joinSql(counted, ' and ', sql`true`)})`
}

function pageOf(filter: TicketFilter): Fragment {
  const { status, contact_id, assignee_id, unread, limit, offset } = filter
  const page = sql`${lastActiveFirst} limit ${limit} offset ${offset}`
  const conditions = conditionsOf(filter)
  const isByStatus = contact_id === undefined && (assignee_id !== undefined || unread === true)
  if (status !== undefined || !isByStatus) return sql`select id from tickets where ${conditions} ${page}`
  // These indexes are ordered within each status: take as many rows of each status as the page could need.
  return sql`
    select newest.id from unnest(array['open', 'closed']) s (status) cross join lateral (
      select id, last_activity_at from tickets where status = s.status and ${conditions}
      ${lastActiveFirst} limit ${limit + offset}
    ) newest ${page}`
}

function conditionsOf({ status, contact_id, assignee_id, unread }: TicketFilter): Fragment {
  const conditions: Fragment[] = []
  if (status !== undefined) conditions.push(sql`status = ${status}`)
  if (contact_id !== undefined) conditions.push(sql`contact_id = ${contact_id}`)
  if (assignee_id !== undefined) conditions.push(sql`assignee_id = ${assignee_id}`)
  if (unread !== undefined) conditions.push(unread ? sql`unread_count > 0` : sql`unread_count = 0`)
  return joinSql(conditions, ' and ', sql`true`)
}

/** Characters before the match, and in all, that fit into two lines of a list. */
const leadLength = 30
const excerptLength = 120

function searchTickets(tx: TenantSql, filter: TicketFilter, search: string) {
  const { limit, offset } = filter
  const filters: Record<string, unknown> = {}
  for (const name of ['status', 'contact_id', 'assignee_id', 'unread'] as const)
    if (filter[name] !== undefined) filters[name] = filter[name]
  // The first pattern is also searched in messages, whose text is not folded.
  const written = sql`substring_pattern(lower(${search.trim()}))`
  const patterns = sql`array_prepend(${written}, array_remove(${searchPatterns(search)}, ${written}))`
  // The limit keeps the planner from scanning every ticket of the organization to join the few matches.
  return tx.all(TicketRow)`
    select page.*, total, matched.message as matched_message
    from search_tickets(${patterns}, ${filters}, ${limit}, ${offset}) with ordinality found (id, total, position)
      left join lateral (select ${withContact} from tickets where tickets.id = found.id limit 1) page on true
      left join lateral (
        select json_build_object('id', m.id, 'direction', m.direction, 'created_at', iso(m.created_at), 'excerpt',
          case when at > ${leadLength} + 1 then '…' else '' end
            || substring(m.body from greatest(1, at - ${leadLength}) for ${excerptLength})) as message
        from messages m, strpos(lower(m.body), lower(${search.trim()})) at
        where m.ticket_id = found.id and m.revoked_at is null and at > 0 order by m.created_at desc, m.id desc limit 1
      ) matched on true
    order by found.position`
}
