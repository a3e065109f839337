import { invalid } from '../../platform/errors.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { isTimeZone } from '../../platform/instants.ts'
import { readDashboard, readDays } from './queries.ts'
import { Daily, DailyFilter, Dashboard } from './schema.ts'

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
      if (!isTimeZone(query.time_zone))
        throw invalid(['query', 'time_zone'], 'Not a time zone: use an IANA name such as Europe/Berlin')
      return { data: await readDays(sql, query) }
    },
  })
}
