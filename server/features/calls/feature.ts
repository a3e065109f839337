import type { Feature } from '../../platform/feature.ts'
import type { Signals } from '../../platform/signals.ts'
import { callGauge, callQueueGauge } from './call-gauges.ts'
import { callLogRoutes } from './call-log-routes.ts'
import { type DispatchDependencies, startDispatching } from './dispatching/start-dispatching.ts'
import { callErrors } from './error-shape.ts'
import { callEvents } from './events.ts'
import { type VoiceHookDependencies, voiceHookRoutes } from './hooks/routes.ts'
import { callJobKinds } from './job-kinds.ts'
import { callJobs } from './jobs.ts'
import { callData } from './personal-data.ts'
import { callRetention } from './retention.ts'
import { type CallRouteDependencies, callRoutes } from './routes.ts'
import { type CallsDependencies, startCalls } from './start-calls.ts'

type CallServices = CallsDependencies &
  CallRouteDependencies &
  VoiceHookDependencies &
  DispatchDependencies &
  Parameters<typeof callJobs>[0]

export const calls: Feature<{ calls: CallServices; signals: Signals }> = {
  jobKinds: callJobKinds,
  eventKinds: callEvents,
  personalData: callData,
  retention: callRetention,
  errorShape: callErrors,
  open: ({ calls, signals }) => ({
    routes(routes, server) {
      callRoutes(routes, calls)
      callLogRoutes(routes, calls)
      voiceHookRoutes(server, calls)
    },
    gauges: [callGauge(calls.database)],
    queues: [callQueueGauge(calls.database)],
    jobs: callJobs(calls),
    work: () => startDispatching(calls, signals),
    start: (server) => startCalls(server, calls, signals),
  }),
}
