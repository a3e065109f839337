import type { Feature } from '../../platform/feature.ts'
import { taskEvents } from './events.ts'
import { taskData } from './personal-data.ts'
import { taskRoutes } from './routes.ts'

export const tasks: Feature<unknown> = {
  eventKinds: taskEvents,
  personalData: taskData,
  open: () => ({ routes: taskRoutes }),
}
