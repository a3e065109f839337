import type { TenantSql, TenantTx } from '../../../platform/database.ts'
import { readCursorPage } from '../../../platform/http/pagination.ts'
import { sql } from '../../../platform/sql.ts'
import { Availability, type AvailabilityFilter } from './schema.ts'

const columns = sql`members.user_id as id, users.name, coalesce(a.status, 'online') as status, a.capacity, a.updated_at,
  (select coalesce(sum(n), 0)::integer from ticket_counts c
    where c.status = 'open' and c.assignee_id = members.user_id) as open_tickets`
const source = sql`members join users on users.id = members.user_id
  left join member_availability a on a.organization_id = members.organization_id and a.user_id = members.user_id`

/** Without the people and their availability, which change nothing about it. */
const countMembers = sql`select count(*) as total_count from members`

export const listAvailability = (tx: TenantSql, filter: AvailabilityFilter) =>
  readCursorPage<Availability>(tx, { columns, from: source, id: sql`members.user_id`, total: countMembers }, filter)

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
