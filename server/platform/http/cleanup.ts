import Type from 'typebox'
import type { Database } from '../database.ts'
import { defineHandler, defineJob } from '../jobs.ts'

const batchSize = 5_000

/** Deletes stored responses whose keys have expired, and rate-limit windows of idle callers. */
async function cleanUpHttp(database: Database, signal: AbortSignal): Promise<void> {
  await database.forSystem().run`
    delete from rate_limit_windows where started_at < now() - interval '1 hour'`
  let removed: number
  do {
    removed = await database.forSystem().run`
      delete from idempotency_keys where (organization_id, livemode, route, key) in (
        select organization_id, livemode, route, key from idempotency_keys
        where created_at < now() - interval '24 hours' order by created_at limit ${batchSize})
        and created_at < now() - interval '24 hours'`
  } while (removed > 0 && !signal.aborted)
}

export const cleanUpHttpJob = defineJob('http.clean-up', Type.Object({}))

export const httpJobs = (database: Database) => [
  defineHandler({
    kind: cleanUpHttpJob,
    schedule: '37 * * * *',
    handle: (_, { signal }) => cleanUpHttp(database, signal),
  }),
]
