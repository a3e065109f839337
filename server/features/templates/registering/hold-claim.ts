import type { Database, TenantScope } from '../../../platform/database.ts'
import { releaseClaim, renewClaim } from './registration-queries.ts'

const renewEveryMs = 3_000

/**
 * Runs `work` while no other request talks to the platform about this template. The claim is renewed while the work
 * runs: a process that dies loses it within seconds, one that waits for a slow platform keeps it.
 */
export async function whileClaimed<T>(
  database: Database,
  scope: TenantScope,
  { templateId, claimId }: { templateId: string; claimId: string },
  work: () => Promise<T>,
): Promise<T> {
  const sql = database.forTenant(scope)
  // A failed renewal is retried before the claim expires.
  const renewal = setInterval(() => void renewClaim(sql, templateId, claimId).catch(() => {}), renewEveryMs)
  try {
    return await work()
  } finally {
    clearInterval(renewal)
    await releaseClaim(sql, templateId, claimId)
  }
}
