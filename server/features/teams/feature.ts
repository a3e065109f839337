import type { Feature } from '../../platform/feature.ts'
import type { Log } from '../../platform/log.ts'
import type { Sending } from '../inbox/sending/send-message.ts'
import { followTickets } from './assignment/follow-tickets.ts'
import { assignmentJobKinds } from './assignment/job-kinds.ts'
import { assignmentJobs } from './assignment/jobs.ts'
import { assignmentRoutes } from './assignment/routes.ts'
import { availabilityRoutes } from './availability/routes.ts'
import { eventsOfTeams } from './events.ts'
import { teamData } from './personal-data.ts'
import { teamRoutes } from './routes.ts'

export const teams: Feature<Sending & { log: Log }> = {
  jobKinds: assignmentJobKinds,
  eventKinds: eventsOfTeams,
  personalData: teamData,
  open: (services) => ({
    routes(routes) {
      teamRoutes(routes)
      availabilityRoutes(routes)
      assignmentRoutes(routes)
    },
    jobs: assignmentJobs(services),
    subscriptions: [followTickets],
  }),
}
