import Type from 'typebox'
import type { Database } from '../../platform/database.ts'
import { defineHandler, defineJob } from '../../platform/jobs.ts'
import { sweepSessions } from './queries.ts'

export const sweepSessionsJob = defineJob('agents.sweep-sessions', Type.Object({}))

export const agentJobs = (database: Database) => [
  defineHandler({
    kind: sweepSessionsJob,
    schedule: '17 * * * *',
    handle: async () => void (await sweepSessions(database.forSystem())),
  }),
]
