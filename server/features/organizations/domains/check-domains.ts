import type { Resolver } from 'node:dns/promises'
import type { Database } from '../../../platform/database.ts'
import type { Log } from '../../../platform/log.ts'
import { hasDnsRecord } from './dns-record.ts'
import { listDomainsToCheck, noteCheck } from './queries.ts'

/** Moving to another DNS provider takes days, and a lost record must not keep people out at once. */
const graceDays = 7
const mostAtOnce = 10

/**
 * Checks verified domains again, each once a day. A domain whose record has been missing for a week admits no one any
 * more: it may have a new owner. Members who joined stay.
 */
export async function checkDomains(
  { database, resolver, log }: { database: Database; resolver: Resolver; log: Log },
  signal: AbortSignal,
): Promise<void> {
  const sql = database.forSystem()
  for (;;) {
    signal.throwIfAborted()
    const due = await listDomainsToCheck(sql, mostAtOnce)
    await Promise.all(
      due.map(async ({ organization_id: organizationId, id, domain, ...record }) => {
        const isFound = await hasDnsRecord(resolver, record)
        const noted = await database.inSystem((tx) => noteCheck(tx, { organizationId, id, isFound, graceDays }))
        if (noted && noted.failing_since === noted.last_checked_at)
          log.warn({ organizationId, domain }, 'domain check: record missing, admits people for seven more days')
        else if (noted?.verified_at === null)
          log.warn({ organizationId, domain }, 'domain check: domain is no longer verified')
      }),
    )
    if (due.length < mostAtOnce) return
  }
}
