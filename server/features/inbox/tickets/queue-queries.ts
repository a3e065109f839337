import Type from 'typebox'
import type { TenantSql } from '../../../platform/database.ts'
import { sql as fragment } from '../../../platform/sql.ts'
import { QueueCounts, TicketTags } from './schema.ts'
import { answeredByAi } from './ticket-queries.ts'

/** Counts every queue in one pass over the index of open tickets. */
export const countQueues = (sql: TenantSql, memberId: string | null) =>
  sql.one(QueueCounts)`
    select count(*) filter (where is_awake and assignee_id = ${memberId})::integer as mine,
      count(*) filter (where is_awake and assignee_id is null and not is_ai)::integer as unassigned,
      count(*) filter (where is_awake and is_waiting and not is_ai)::integer as needs_person,
      case when answering_channels(current_organization(), current_livemode()) <> '{}'
        then count(*) filter (where is_awake and is_ai)::integer end as ai,
      count(*) filter (where is_awake)::integer as "all",
      count(*) filter (where not is_awake)::integer as snoozed
    from (
      select assignee_id, snoozed_until is null or snoozed_until <= now() as is_awake,
        waiting_since is not null as is_waiting, ${answeredByAi} as is_ai
      from tickets where status = 'open'
    ) open`

const TagCount = TicketTags.properties.tags.items

/** The tags of tickets, most used first; from counters, unless the member sees only some of the tickets. */
export const listTicketTags = (sql: TenantSql, { search = '', limit }: { search?: string; limit: number }) =>
  sql.all(Type.Object(TagCount.properties))`
    select tag, sum(n)::integer as tickets
    from ${sql.isLimited ? fragment`(select tag, 1 as n from ticket_tags) tagged` : fragment`ticket_tag_counts`}
    where strpos(lower(tag), lower(${search})) > 0
    group by tag having sum(n) > 0 order by sum(n) desc, tag limit ${limit}`
