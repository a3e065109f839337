import type { Database, TenantScope } from '../../platform/database.ts'
import { releaseClaim, renewClaim } from './registration-queries.ts'

const renewEveryMs = 3_000

/**
 * Works while nobody else speaks with the platform about this template. The claim is renewed as long as the work runs: a
 * process that dies lets go of it within seconds, one that waits for a slow platform keeps it.
 */
export async function whileClaimed<T>(
  database: Database,
  scope: TenantScope,
  { templateId, claimId }: { templateId: string; claimId: string },
  work: () => Promise<T>,
): Promise<T> {
  const sql = database.forTenant(scope)
  // One that fails is followed by another before the claim has run out.
  const renewal = setInterval(() => void renewClaim(sql, templateId, claimId).catch(() => {}), renewEveryMs)
  try {
    return await work()
  } finally {
    clearInterval(renewal)
    await releaseClaim(sql, templateId, claimId)
  }
}
