import type { Feature } from '../../platform/feature.ts'
import { scheduleEvents } from './events.ts'
import { scheduleRoutes } from './routes.ts'

export const schedules: Feature<object> = {
  eventKinds: Object.values(scheduleEvents),
  open: () => ({ routes: scheduleRoutes }),
}
