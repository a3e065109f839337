import Type from 'typebox'
import type { TenantSql } from './database.ts'
import { sql } from './sql.ts'

/**
 * Ids of the organizations that an operator has suspended, for statements that claim work of all organizations. They
 * are few and have an index of their own; the subquery runs once per statement.
 */
export const suspendedIds = sql`array(select id from organizations where suspended_at is not null)`

const Suspended = Type.Object({ is_suspended: Type.Boolean() })

/** For work of one organization that sends something. */
export async function isSuspended(tx: TenantSql): Promise<boolean> {
  const { is_suspended } = await tx.one(Suspended)`
    select suspended_at is not null as is_suspended from organizations where id = ${tx.scope.organizationId}`
  return is_suspended
}
