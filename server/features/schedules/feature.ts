import type { Feature } from '../../platform/feature.ts'
import { scheduleRoutes } from './routes.ts'

export const schedules: Feature<object> = {
  open: () => ({ routes: scheduleRoutes }),
}
