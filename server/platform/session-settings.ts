import type { TenantScope } from './database.ts'
import { isUuid } from './ids.ts'
import { originSetting } from './origin.ts'
import type { Statement } from './pipeline.ts'
import { currentTraceparent } from './tracing/trace.ts'

/**
 * For the workers, whose statements process batches: PostgreSQL plans each one for the tables as they are, instead of
 * keeping a plan from when they were small. An index lookup costs what it costs in memory or on an SSD, as on the
 * embedded server; with the default of 4 and without statistics, a lookup of 1,000 rows among 100,000 scans the table.
 * See ADR 31.
 */
export const batchSettings = { plan_cache_mode: 'force_custom_plan', random_page_cost: '1.1' }

export const setInTransaction = (settings: Record<string, string>): Statement => {
  const entries = Object.entries(settings)
  const parts = entries.map((_, i) => `set_config($${2 * i + 1}, $${2 * i + 2}, true)`)
  return { text: `select ${parts.join(', ')}`, values: entries.flat() }
}

/**
 * For reports. The planner expects nearly as many groups as rows and would sort all rows to find a few dozen groups,
 * which takes twice as long as hashing. Parallel workers would take the other cores from calls.
 */
export const planForReports: Statement = {
  text: `select set_config('enable_sort', 'off', true), set_config('max_parallel_workers_per_gather', '0', true)`,
  values: [],
}

/** Says whose rows a transaction sees and, if it runs for a request, for whom it writes. */
export function enterScope({ organizationId, livemode, limitedTo }: TenantScope): Statement {
  // With an empty or mistyped organization, row-level security would return no rows; throwing here says why.
  if (!isUuid(organizationId)) throw new Error('a tenant scope needs an organization id')
  let text = `select set_config('frontdesk.organization', $1, true), set_config('frontdesk.livemode', $2, true)`
  const values = [organizationId, livemode ? 'on' : 'off']
  // The policies of this role, besides those of the tenant's, which it inherits. See ADR 62.
  if (limitedTo !== undefined)
    text += `, set_config('frontdesk.limited_member', $${values.push(limitedTo)}, true), set_config('role', 'frontdesk_limited', true)`
  const origin = originSetting()
  if (origin !== undefined) text += `, set_config('frontdesk.origin', $${values.push(origin)}, true)`
  // Events and calls keep it in a column, so that deliveries and conversations continue the trace.
  const traceparent = currentTraceparent()
  if (traceparent !== undefined) text += `, set_config('frontdesk.traceparent', $${values.push(traceparent)}, true)`
  return { text, values }
}

export function enterSystem(): Statement[] {
  const origin = originSetting()
  return origin === undefined ? [] : [{ text: `select set_config('frontdesk.origin', $1, true)`, values: [origin] }]
}
