import type { Database } from '../../platform/database.ts'
import type { Feature } from '../../platform/feature.ts'
import type { Log } from '../../platform/log.ts'
import type { FileStore } from '../../providers/files/contract.ts'
import { fileJobs, sweepFilesJob } from './jobs.ts'

export const files: Feature<{ database: Database; files: FileStore; log: Log }> = {
  jobKinds: [sweepFilesJob],
  open: ({ database, files, log }) => ({ jobs: fileJobs(database, { files, log }) }),
}
