import type { Feature } from '../../platform/feature.ts'
import { simulatorRoutes } from './routes.ts'

export const simulator: Feature<Parameters<typeof simulatorRoutes>[1]> = {
  open: (services) => ({ routes: (routes) => simulatorRoutes(routes, services) }),
}
