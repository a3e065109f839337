import type { Feature } from '../../platform/feature.ts'
import type { Conversing } from './answering/turn.ts'
import { agentErrors } from './error-shape.ts'
import { agentEvents } from './events.ts'
import { agentJobs, sweepSessionsJob } from './jobs.ts'
import { type AgentDependencies, agentRoutes } from './routes.ts'

export const agents: Feature<{ conversing: Conversing } & Omit<AgentDependencies, keyof Conversing | 'outbound'>> = {
  jobKinds: [sweepSessionsJob],
  eventKinds: agentEvents,
  errorShape: agentErrors,
  open: ({ conversing, ...services }) => ({
    routes: (routes) => agentRoutes(routes, { ...conversing, ...services, outbound: conversing.http }),
    jobs: agentJobs(services.database),
  }),
}
