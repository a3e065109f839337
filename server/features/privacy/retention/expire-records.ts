import type { Database, TenantTx } from '../../../platform/database.ts'
import { expireRows } from '../../../platform/expire-rows.ts'
import type { RetentionRule } from '../../../platform/personal-data.ts'
import { listRetention, markExpiring } from '../queries.ts'
import type { RetentionKind } from '../schema.ts'

/** Applies the rules of all features to each organization that limits the age of its records. */
export async function expireRecords(database: Database, rules: RetentionRule[], signal: AbortSignal): Promise<void> {
  const failures: unknown[] = []
  for (const { organization_id: organizationId, retention } of await listRetention(database.forSystem()))
    try {
      for (const livemode of [true, false])
        for (const { kind, expire } of rules) {
          const retentionDays = retention[kind as RetentionKind]
          if (retentionDays === undefined) continue
          await expireRows<TenantTx>(
            (work) => database.inTenant({ organizationId, livemode }, work),
            { retentionDays, signal },
            async (tx, oldestKept, batchSize) => {
              await markExpiring(tx)
              return expire(tx, oldestKept, batchSize)
            },
          )
        }
    } catch (error) {
      signal.throwIfAborted()
      // The others have their turn first.
      failures.push(error)
    }
  if (failures.length > 0) throw new AggregateError(failures, `retention failed for ${failures.length} organizations`)
}
