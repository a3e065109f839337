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

const Existing = Type.Object({ id: Type.String() })

export const listRules = (tx: TenantSql, filter: AssignmentRuleFilter) =>
  readCursorPage<AssignmentRule>(tx, { columns, from: sql`assignment_rules`, id: sql`channel_id` }, filter)

export const findRule = (tx: TenantSql, channelId: string) =>
  tx.maybe(AssignmentRule)`select ${columns} from assignment_rules where channel_id = ${channelId}`

/** Locks the channel, so that two requests do not both add its rule. No row if there is no such channel. */
export const lockChannel = (tx: TenantTx, channelId: string) =>
  tx.maybe(Existing)`
    select id from channels where id = ${channelId} and deleted_at is null for no key update`

export const storeRule = (tx: TenantTx, channelId: string, rule: Required<AssignmentRuleInput>) =>
  tx.one(AssignmentRule)`
    insert into assignment_rules (channel_id, team_id, schedule_id, away_message)
    values (${channelId}, ${rule.team_id}, ${rule.schedule_id}, ${rule.away_message})
    on conflict (organization_id, livemode, channel_id) do update set team_id = excluded.team_id,
      schedule_id = excluded.schedule_id, away_message = excluded.away_message, updated_at = now()
    returning ${columns}`

export const removeRule = (tx: TenantTx, channelId: string) =>
  tx.maybe(AssignmentRule)`delete from assignment_rules where channel_id = ${channelId} returning ${columns}`

export const findTicketId = (tx: TenantSql, id: string) => tx.maybe(Existing)`select id from tickets where id = ${id}`

export const listAssignments = (tx: TenantSql, ticketId: string, filter: TicketAssignmentFilter) =>
  readCursorPage<TicketAssignment>(
    tx,
    { columns: assignmentColumns, from: sql`ticket_assignments`, where: sql`ticket_id = ${ticketId}` },
    filter,
  )
