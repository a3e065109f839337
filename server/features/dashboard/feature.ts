import type { Feature } from '../../platform/feature.ts'
import { dashboardRoutes } from './routes.ts'

export const dashboard: Feature<unknown> = { open: () => ({ routes: dashboardRoutes }) }
