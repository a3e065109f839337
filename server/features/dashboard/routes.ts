import type { Routes } from '../../platform/http/routes.ts'
import { readDashboard } from './queries.ts'
import { Dashboard } from './schema.ts'

export function dashboardRoutes(routes: Routes): void {
  routes.read({
    id: 'getDashboard',
    method: 'GET',
    url: '/crm/dashboard',
    tag: 'Dashboard',
    summary: 'How many contacts and tasks there are, and where they stand',
    scope: 'contacts:read',
    response: Dashboard,
    handler: readDashboard,
  })
}
