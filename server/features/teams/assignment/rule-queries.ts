import Type from 'typebox'
import type { TenantSql, TenantTx } from '../../../platform/database.ts'
import { beforeEverything } from '../../../platform/http/pagination.ts'
import { sql } from '../../../platform/sql.ts'
import {
  AssignmentRule,
  type AssignmentRuleFilter,
  type AssignmentRuleInput,
  type TicketAssignment,
  type TicketAssignmentFilter,
} from './schema.ts'

const columns = sql`channel_id as id, team_id, schedule_id, away_message, created_at, updated_at`

/** Rows of a page with the total; their columns are null when the page is empty. */
const RuleRow = Type.Unsafe<AssignmentRule & { total_count: number }>({})
const AssignmentRow = Type.Unsafe<TicketAssignment & { total_count: number }>({})

export const listRules = (tx: TenantSql, { limit, starting_after: before = beforeEverything }: AssignmentRuleFilter) =>
  tx.all(RuleRow)`
    select page.*, total_count from
      (select count(*) as total_count from assignment_rules) total
      left join lateral (
        select ${columns} from assignment_rules where channel_id < ${before} order by channel_id desc limit ${limit + 1}
      ) page on true
    order by page.id desc`

export const findRule = (tx: TenantSql, channelId: string) =>
  tx.maybe(AssignmentRule)`select ${columns} from assignment_rules where channel_id = ${channelId}`

/** No row if there is no such channel. */
export const storeRule = (tx: TenantTx, channelId: string, rule: Required<AssignmentRuleInput>) =>
  tx.maybe(AssignmentRule)`
    insert into assignment_rules (channel_id, team_id, schedule_id, away_message)
    select id, ${rule.team_id}, ${rule.schedule_id}, ${rule.away_message} from channels
    where id = ${channelId} and deleted_at is null
    on conflict (organization_id, livemode, channel_id) do update set team_id = excluded.team_id,
      schedule_id = excluded.schedule_id, away_message = excluded.away_message, updated_at = now()
    returning ${columns}`

export const removeRule = (tx: TenantTx, channelId: string) =>
  tx.run`delete from assignment_rules where channel_id = ${channelId}`

const Existing = Type.Object({ id: Type.String() })

export const findTicketId = (tx: TenantSql, id: string) => tx.maybe(Existing)`select id from tickets where id = ${id}`

export const listAssignments = (
  tx: TenantSql,
  ticketId: string,
  { limit, starting_after: before = beforeEverything }: TicketAssignmentFilter,
) =>
  tx.all(AssignmentRow)`
    select page.*, total_count from
      (select count(*) as total_count from ticket_assignments where ticket_id = ${ticketId}) total
      left join lateral (
        select id, ticket_id, team_id, assignee_id, previous_assignee_id, reason, actor_type, actor_id, created_at
        from ticket_assignments where ticket_id = ${ticketId} and id < ${before} order by id desc limit ${limit + 1}
      ) page on true
    order by page.id desc`
