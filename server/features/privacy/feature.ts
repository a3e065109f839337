import type { Feature } from '../../platform/feature.ts'
import { sql } from '../../platform/sql.ts'
import { isBeingErased } from './erasure/queries.ts'
import { privacyEvents } from './events.ts'
import { privacyJobKinds } from './job-kinds.ts'
import { privacyJobs } from './jobs.ts'
import { privacyRoutes } from './routes.ts'

/**
 * What the law grants people over their data. Each feature declares what it holds about a person; this one runs the
 * declarations.
 */
export const privacy: Feature<Parameters<typeof privacyJobs>[0]> = {
  jobKinds: privacyJobKinds,
  eventKinds: privacyEvents,
  personalData: [
    {
      table: 'person_exports',
      rows: ({ id }) => sql`contact_id = ${id}`,
      export: { exempt: 'an export itself' },
      erase: 'delete',
      hasFiles: true,
      kept: 'for a week',
      merge: 'move',
    },
    {
      table: 'erasures',
      exempt: 'the proof of an erasure; it holds no personal data',
      async mergeObstacle(tx, { from, into }) {
        return (await isBeingErased(tx, [from, into])) ? 'One of these contacts is being erased' : undefined
      },
    },
    { table: 'erased_addresses', exempt: 'keyed hashes of erased numbers' },
  ],
  open: (services) => ({
    routes: (routes) => privacyRoutes(routes, services),
    jobs: privacyJobs(services),
  }),
}
