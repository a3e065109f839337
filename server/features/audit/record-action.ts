import type { TenantSql } from '../../platform/database.ts'
import { insertAction } from './queries.ts'

/** Records what changes no row, such as an export. Changes are recorded by the database itself. */
export async function recordAction(
  tx: TenantSql,
  action: `${string}.${string}`,
  { id = null, details = {} }: { id?: string | null; details?: object } = {},
): Promise<void> {
  const [objectType = ''] = action.split('.')
  await insertAction(tx, { action, objectType, objectId: id, details })
}
