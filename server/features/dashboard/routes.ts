import { invalid } from '../../platform/errors.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { isTimeZone } from '../../platform/instants.ts'
import { readDashboard, readDays, readSources } from './queries.ts'
import { Daily, DailyFilter, Dashboard, SourceFilter, Sources } from './schema.ts'

export function dashboardRoutes(routes: Routes): void {
  routes.read({
    id: 'getDashboard',
    method: 'GET',
    url: '/crm/dashboard',
    tag: 'Dashboard',
    summary: 'Get contact and task counts',
    description: 'Contacts by stage and by who handles them, and pending and overdue tasks.',
    scope: 'contacts:read',
    response: Dashboard,
    handler: readDashboard,
  })

  routes.read({
    id: 'getDailyActivity',
    method: 'GET',
    url: '/crm/dashboard/daily',
    tag: 'Dashboard',
    summary: 'Get daily message and call counts',
    description: 'One entry for each of the last days.',
    scope: 'contacts:read',
    query: DailyFilter,
    isReport: true,
    response: Daily,
    handler: async (sql, { query }) => {
      requireTimeZone(query)
      return { data: await readDays(sql, query) }
    },
  })

  routes.read({
    id: 'getContactSources',
    method: 'GET',
    url: '/crm/dashboard/sources',
    tag: 'Dashboard',
    summary: 'Count contacts by ad',
    description:
      'How many contacts came from ads and posts in the last days, by the first ad or post of each contact. Use `source_id` in the list of contacts to see them.',
    scope: 'contacts:read',
    query: SourceFilter,
    isReport: true,
    response: Sources,
    handler: async (sql, { query }) => {
      requireTimeZone(query)
      const rows = await readSources(sql, query)
      return { total: rows[0]?.total ?? 0, data: rows }
    },
  })
}

function requireTimeZone({ time_zone }: { time_zone: string }): void {
  if (!isTimeZone(time_zone))
    throw invalid(['query', 'time_zone'], 'Not a time zone: use an IANA name such as Europe/Berlin')
}
