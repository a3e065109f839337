import type { Feature } from '../../platform/feature.ts'
import { taskEvents } from './events.ts'
import { taskRoutes } from './routes.ts'

export const tasks: Feature<unknown> = {
  eventKinds: taskEvents,
  open: () => ({ routes: taskRoutes }),
}
