import Type from 'typebox'
import type { TenantSql, TenantTx } from '../../../platform/database.ts'
import { beforeEverything } from '../../../platform/http/pagination.ts'
import { sql } from '../../../platform/sql.ts'
import { Availability, type AvailabilityFilter } from './schema.ts'

const columns = sql`members.user_id as id, users.name, coalesce(a.status, 'online') as status, a.capacity, a.updated_at,
  (select coalesce(sum(n), 0)::integer from ticket_counts c
    where c.status = 'open' and c.assignee_id = members.user_id) as open_tickets`
const source = sql`members join users on users.id = members.user_id
  left join member_availability a on a.organization_id = members.organization_id and a.user_id = members.user_id`

/** A row of a page with the total; its columns are null when the page is empty. */
const AvailabilityRow = Type.Unsafe<Availability & { total_count: number }>({})

export const listAvailability = (
  tx: TenantSql,
  { limit, starting_after: before = beforeEverything }: AvailabilityFilter,
) =>
  tx.all(AvailabilityRow)`
    select page.*, total_count from
      (select count(*) as total_count from members) total
      left join lateral (
        select ${columns} from ${source} where members.user_id < ${before}
        order by members.user_id desc limit ${limit + 1}
      ) page on true
    order by page.id desc`

export const findAvailability = (tx: TenantSql, memberId: string) =>
  tx.maybe(Availability)`select ${columns} from ${source} where members.user_id = ${memberId}`

export const storeAvailability = (
  tx: TenantTx,
  memberId: string,
  { status, capacity }: Pick<Availability, 'status' | 'capacity'>,
) =>
  tx.run`
    insert into member_availability (user_id, status, capacity)
    select user_id, ${status}, ${capacity} from members where user_id = ${memberId}
    on conflict (organization_id, user_id) do update set status = excluded.status, capacity = excluded.capacity,
      updated_at = now()`
