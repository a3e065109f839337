import type { Database } from '../database.ts'
import type { Feature } from '../feature.ts'
import { cleanUpHttpJob, httpJobs } from './cleanup.ts'
import { deleteAnswersMentioning } from './idempotency.ts'

/** What the HTTP layer stores in the database: responses by Idempotency-Key and rate-limit windows. */
export const httpState: Feature<{ database: Database }> = {
  jobKinds: [cleanUpHttpJob],
  personalMentions: [
    {
      table: 'idempotency_keys',
      erase: async (sql, { patterns }) => ({ rows: await deleteAnswersMentioning(sql, patterns), last: null }),
    },
  ],
  open: ({ database }) => ({ jobs: httpJobs(database) }),
}
