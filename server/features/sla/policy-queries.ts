import Type from 'typebox'
import type { SystemTx, TenantSql, TenantTx } from '../../platform/database.ts'
import { readCursorPage } from '../../platform/http/pagination.ts'
import { sql } from '../../platform/sql.ts'
import { SlaPolicy, type SlaPolicyFilter } from './schema.ts'

const columns = sql`id, organization_id, name, team_id, priority, schedule_id, first_reply_minutes, next_reply_minutes,
  resolution_minutes, warning_minutes, counts_ai_replies, created_at, updated_at`

export const listPolicies = (tx: TenantSql, filter: SlaPolicyFilter) =>
  readCursorPage<SlaPolicy>(tx, { columns, from: sql`sla_policies` }, filter)

export const findPolicy = (tx: TenantSql, id: string) =>
  tx.maybe(SlaPolicy)`select ${columns} from sla_policies where id = ${id}`

export const lockPolicy = (tx: TenantTx, id: string) =>
  tx.maybe(SlaPolicy)`select ${columns} from sla_policies where id = ${id} for update`

export type PolicyRowToWrite = Omit<SlaPolicy, 'organization_id' | 'created_at' | 'updated_at'>

export const storePolicy = (tx: TenantTx, policy: PolicyRowToWrite) =>
  tx.one(SlaPolicy)`
    insert into sla_policies (id, name, team_id, priority, schedule_id, first_reply_minutes, next_reply_minutes,
      resolution_minutes, warning_minutes, counts_ai_replies)
    values (${policy.id}, ${policy.name}, ${policy.team_id}, ${policy.priority}, ${policy.schedule_id},
      ${policy.first_reply_minutes}, ${policy.next_reply_minutes}, ${policy.resolution_minutes},
      ${policy.warning_minutes}, ${policy.counts_ai_replies})
    on conflict (organization_id, id) do update set name = excluded.name, team_id = excluded.team_id,
      priority = excluded.priority, schedule_id = excluded.schedule_id,
      first_reply_minutes = excluded.first_reply_minutes, next_reply_minutes = excluded.next_reply_minutes,
      resolution_minutes = excluded.resolution_minutes, warning_minutes = excluded.warning_minutes,
      counts_ai_replies = excluded.counts_ai_replies, updated_at = now()
    returning ${columns}`

const Existing = Type.Object({ exists: Type.Boolean() })

/** Whether a policy counts its minutes in this schedule. */
export const isFollowedByPolicy = async (tx: SystemTx, organizationId: string, scheduleId: string): Promise<boolean> =>
  (
    await tx.one(Existing)`
      select exists (select from sla_policies where organization_id = ${organizationId} and schedule_id = ${scheduleId})`
  ).exists

export const removePolicy = (tx: TenantTx, id: string) =>
  tx.maybe(SlaPolicy)`delete from sla_policies where id = ${id} returning ${columns}`
