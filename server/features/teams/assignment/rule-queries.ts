import Type from 'typebox'
import type { TenantSql, TenantTx } from '../../../platform/database.ts'
import { readCursorPage } from '../../../platform/http/pagination.ts'
import { sql } from '../../../platform/sql.ts'
import {
  AssignmentRule,
  type AssignmentRuleFilter,
  type AssignmentRuleInput,
  type TicketAssignment,
  type TicketAssignmentFilter,
} from './schema.ts'

const columns = sql`channel_id as id, team_id, schedule_id, away_message, created_at, updated_at`

const assignmentColumns = sql`id, ticket_id, team_id, assignee_id, previous_assignee_id, reason, actor_type, actor_id,
  created_at`

export const listRules = (tx: TenantSql, filter: AssignmentRuleFilter) =>
  readCursorPage<AssignmentRule>(tx, { columns, from: sql`assignment_rules`, id: sql`channel_id` }, filter)

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

export const listAssignments = (tx: TenantSql, ticketId: string, filter: TicketAssignmentFilter) =>
  readCursorPage<TicketAssignment>(
    tx,
    { columns: assignmentColumns, from: sql`ticket_assignments`, where: sql`ticket_id = ${ticketId}` },
    filter,
  )
