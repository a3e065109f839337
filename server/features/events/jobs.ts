import Type from 'typebox'
import type { Database } from '../../platform/database.ts'
import { expirePartitions } from '../../platform/expire-partitions.ts'
import { defineHandler, defineJob } from '../../platform/jobs.ts'
import { deleteEventsBelow, uncountEvents } from './queries.ts'

const table = { name: 'events', uncount: uncountEvents, deleteBelow: deleteEventsBelow }

export const expireEventsJob = defineJob('events.expire', Type.Object({}))

export const eventJobs = (database: Database, { retentionDays }: { retentionDays: number }) => [
  defineHandler({
    kind: expireEventsJob,
    schedule: '17 * * * *',
    handle: (_, { signal }) => expirePartitions(database, table, { retentionDays, signal }),
  }),
]
