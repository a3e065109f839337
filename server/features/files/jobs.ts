import Type from 'typebox'
import type { Database } from '../../platform/database.ts'
import { defineHandler, defineJob } from '../../platform/jobs.ts'
import type { Log } from '../../platform/log.ts'
import type { FileStore } from '../../providers/files/contract.ts'
import { sweepFiles } from './sweep-files.ts'

export const sweepFilesJob = defineJob('files.sweep', Type.Object({}))

export const fileJobs = (database: Database, { files, log }: { files: FileStore; log: Log }) => [
  defineHandler({
    kind: sweepFilesJob,
    schedule: '* * * * *',
    handle: (_, { signal }) => sweepFiles(database, files, log, signal),
  }),
]
