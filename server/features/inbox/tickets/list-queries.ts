import Type from 'typebox'
import type { TenantSql } from '../../../platform/database.ts'
import { type Fragment, joinSql, sql } from '../../../platform/sql.ts'
import { searchPatterns } from '../../contacts/lists/search-patterns.ts'
import { priorities, type Ticket, type TicketFilter, type TicketWithContact, type ticketOrders } from './schema.ts'
import { answeredByAi, withContact } from './ticket-queries.ts'

/** What a page is selected by: the filters of the request, with its queue resolved. */
export interface TicketConditions
  extends Pick<TicketFilter, 'contact_id' | 'assignee_id' | 'team_id' | 'unread' | 'priority' | 'tag'> {
  status?: Ticket['status']
  unassigned?: true
  snoozed?: boolean
  waiting?: true
  answered_by_ai?: boolean
}

interface Page {
  limit: number
  offset: number
  order: (typeof ticketOrders)[number]
}

/** One row of the page, with the total. Its columns are null if the page is empty. */
const TicketRow = Type.Unsafe<TicketWithContact & { total: number }>({})

const lastActiveFirst = sql`order by last_activity_at desc, id desc`
const orders: Record<Page['order'], Fragment> = {
  last_activity_at: lastActiveFirst,
  priority: sql`order by tickets.priority desc, last_activity_at desc, id desc`,
  waiting_since: sql`order by tickets.waiting_since nulls last, id`,
  snoozed_until: sql`order by tickets.snoozed_until nulls last, id`,
  sla_due_at: sql`order by tickets.sla_due_at nulls last, id`,
}

/** One page with its total. The subquery for the ids can use an index-only scan. */
export const listTickets = (tx: TenantSql, conditions: TicketConditions, page: Page) =>
  tx.all(TicketRow)`
    select page.*, total from
      (select ${tx.isLimited ? countOf(conditions) : totalOf(conditions)} as total) total
      left join lateral (
        select ${withContact} from tickets where id in (${pageOf(conditions, page)}) ${orders[page.order]}
      ) page on true`

const counted = ['status', 'assignee_id', 'unread']

/** For members with limited access: the counters have the tickets of all. */
const countOf = (conditions: TicketConditions): Fragment =>
  sql`(select count(*) from tickets where ${conditionsOf(conditions)})`

/**
 * Totals by status, assignee and unread messages come from the counters in `ticket_counts`, those of a tag from
 * `ticket_tag_counts`. Other conditions are counted: a contact has few tickets, and an index has those of a team and what queues
 * filter by.
 */
function totalOf(conditions: TicketConditions): Fragment {
  const names = Object.keys(conditions)
  const { status, assignee_id, unread, tag } = conditions
  if (tag !== undefined && names.length === 1)
    return sql`(select coalesce(sum(n), 0)::bigint from ticket_tag_counts where tag = ${tag})`
  const others = names.filter((name) => !counted.includes(name))
  if (others.length === 1 && conditions.priority === 'normal') {
    const { priority: _, ...rest } = conditions
    return sql`(${totalOf(rest)} - (select count(*) from tickets where priority <> 1 and ${conditionsOf(rest)}))`
  }
  if (others.length > 0) return countOf(conditions)
  const figures: Fragment[] = []
  if (status !== undefined) figures.push(sql`status = ${status}`)
  if (assignee_id !== undefined) figures.push(sql`assignee_id = ${assignee_id}`)
  if (unread !== undefined) figures.push(sql`unread = ${unread}`)
  return sql`(select coalesce(sum(n), 0)::bigint from ticket_counts where ${joinSql(figures, ' and ', sql`true`)})`
}

function pageOf(conditions: TicketConditions, { limit, offset, order }: Page): Fragment {
  const { status, contact_id, assignee_id, team_id, unread } = conditions
  const page = sql`${orders[order]} limit ${limit} offset ${offset}`
  const wanted = conditionsOf(conditions)
  const isByStatus = contact_id === undefined && (assignee_id !== undefined || team_id !== undefined || unread === true)
  if (status !== undefined || !isByStatus) return sql`select id from tickets where ${wanted} ${page}`
  // These indexes are ordered within each status: take as many rows of each status as the page could need.
  return sql`
    select newest.id from unnest(array['open', 'closed']) s (status) cross join lateral (
      select id, last_activity_at from tickets where status = s.status and ${wanted}
      ${lastActiveFirst} limit ${limit + offset}
    ) newest ${page}`
}

function conditionsOf(given: TicketConditions): Fragment {
  const { status, contact_id, assignee_id, team_id, unread, priority, tag } = given
  const { unassigned, snoozed, waiting, answered_by_ai } = given
  const conditions: Fragment[] = []
  if (status !== undefined) conditions.push(status === 'open' ? sql`status = 'open'` : sql`status = ${status}`)
  if (contact_id !== undefined) conditions.push(sql`contact_id = ${contact_id}`)
  if (assignee_id !== undefined) conditions.push(sql`assignee_id = ${assignee_id}`)
  if (team_id !== undefined) conditions.push(sql`team_id = ${team_id}`)
  if (unassigned) conditions.push(sql`assignee_id is null`)
  if (unread !== undefined) conditions.push(unread ? sql`unread_count > 0` : sql`unread_count = 0`)
  // The index of the few others is used only where the condition shows that it applies.
  if (priority !== undefined)
    conditions.push(
      sql`priority = ${priorities.indexOf(priority)}`,
      priority === 'normal' ? sql`priority = 1` : sql`priority <> 1`,
    )
  if (tag !== undefined) conditions.push(sql`id in (select ticket_id from ticket_tags where tag = ${tag})`)
  if (snoozed !== undefined)
    conditions.push(snoozed ? sql`snoozed_until > now()` : sql`(snoozed_until is null or snoozed_until <= now())`)
  if (waiting) conditions.push(sql`waiting_since is not null`)
  if (answered_by_ai !== undefined) conditions.push(answered_by_ai ? answeredByAi : sql`not ${answeredByAi}`)
  return joinSql(conditions, ' and ', sql`true`)
}

/** Characters before the match, and in all, that fit into two lines of a list. */
const leadLength = 30
const excerptLength = 120

/** The same for tickets whose contact or messages match. */
export function searchTickets(
  tx: TenantSql,
  conditions: TicketConditions,
  search: string,
  { limit, offset }: Omit<Page, 'order'>,
) {
  const { priority, ...others } = conditions
  const filters = { ...others, ...(priority !== undefined && { priority: priorities.indexOf(priority) }) }
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
