import type { TenantSql } from '../../platform/database.ts'
import { findState } from './queries.ts'

/** A schedule that does not exist is always open. */
export async function isOpenNow(sql: TenantSql, id: string): Promise<boolean> {
  return (await findState(sql, id, null, 0))?.is_open ?? true
}
