import type { SystemSql, SystemTx, TenantSql } from '../../platform/database.ts'
import { readCursorPage } from '../../platform/http/pagination.ts'
import { parseInstant } from '../../platform/instants.ts'
import { type Fragment, joinSql, sql } from '../../platform/sql.ts'
import { AuditEntry, type AuditExportFilter, type AuditFilter } from './schema.ts'

const columns = sql`id, action, actor_type, actor_id, actor_name, object_type, object_id, object_name, previous, current,
  ip_address, request_id, mode, created_at`

function conditionsOf({ action, actor_id, object_id, created_after, created_before }: AuditExportFilter): Fragment {
  const conditions: Fragment[] = []
  if (action?.endsWith('.*')) conditions.push(sql`object_type = ${action.slice(0, -2)}`)
  else if (action !== undefined) conditions.push(sql`action = ${action}`)
  if (actor_id !== undefined) conditions.push(sql`actor_id = ${actor_id}`)
  if (object_id !== undefined) conditions.push(sql`object_id = ${object_id}`)
  if (created_after !== undefined)
    conditions.push(sql`created_at > ${parseInstant(created_after) as string}::timestamptz`)
  if (created_before !== undefined)
    conditions.push(sql`created_at < ${parseInstant(created_before) as string}::timestamptz`)
  return joinSql(conditions, ' and ', sql`true`)
}

export const listEntries = (tx: TenantSql, filter: AuditFilter) =>
  readCursorPage<AuditEntry>(tx, { columns, from: sql`audit_entries`, where: conditionsOf(filter) }, filter)

/** The next entries of an export, newest first. */
export const listExported = (tx: TenantSql, filter: AuditExportFilter, before: string, limit: number) =>
  tx.all(AuditEntry)`
    select ${columns} from audit_entries where id < ${before} and ${conditionsOf(filter)} order by id desc limit ${limit}`

/** Records what changes no row. */
export const insertAction = (
  tx: TenantSql,
  {
    action,
    objectType,
    objectId,
    details,
  }: { action: string; objectType: string; objectId: string | null; details: object },
) => tx.run`select audit_action(${action}, ${objectType}, ${objectId}::uuid, ${details})`

/** Returns how many it removed. The database refuses to delete entries of the last 30 days. */
export const deleteEntriesBelow = (tx: SystemTx, id: string, batchSize: number) =>
  tx.run`
    delete from audit_entries e using (
      select old.* from organizations cross join lateral (
        select organization_id, id from audit_entries where organization_id = organizations.id and id < ${id}
        order by id limit ${batchSize}
      ) old limit ${batchSize}
    ) old
    where e.organization_id = old.organization_id and e.id = old.id`

/** Few: each is the decision of a person. */
export const deleteOperatorActions = (sql: SystemSql, retentionDays: number) =>
  sql.run`delete from operator_actions where created_at < now() - make_interval(days => ${retentionDays})`
