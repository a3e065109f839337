import type { TenantSql } from '../../platform/database.ts'

export interface FoundAgent {
  id: string
}

/**
 * The one place where other features ask whether an id names an agent of the caller. This version keeps no agents,
 * so no id does; the agents feature answers from its table here.
 */
export async function findAgent(_sql: TenantSql, _id: string): Promise<FoundAgent | undefined> {
  return undefined
}
