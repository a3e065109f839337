import type { Database } from '../../platform/database.ts'
import type { Feature } from '../../platform/feature.ts'
import type { PersonalTable } from '../../platform/personal-data.ts'
import type { PhoneNumbers } from '../../platform/phone-numbers.ts'
import { bulkEditJob, bulkEditJobs, expireBulkEditsJob } from './bulk-edits/jobs.ts'
import { bulkEditRoutes } from './bulk-edits/routes.ts'
import { duplicateRoutes } from './duplicates/routes.ts'
import { contactEvents } from './events.ts'
import { importContactsJob, importJobs, sweepUploadsJob } from './imports/jobs.ts'
import { importRoutes } from './imports/routes.ts'
import { contactData, contactMentions } from './personal-data.ts'
import { contactRoutes } from './routes.ts'

export const contacts: Feature<{
  database: Database
  phones: PhoneNumbers
  personalData: PersonalTable[]
  settings: { MAX_IMPORT_BYTES: number }
}> = {
  jobKinds: [importContactsJob, sweepUploadsJob, bulkEditJob, expireBulkEditsJob],
  eventKinds: contactEvents,
  personalData: contactData,
  personalMentions: contactMentions,
  open: ({ database, phones, personalData, settings }) => ({
    routes(routes) {
      contactRoutes(routes, { database, phones, personalData })
      bulkEditRoutes(routes)
      duplicateRoutes(routes)
      importRoutes(routes, { database, phones, maxImportBytes: settings.MAX_IMPORT_BYTES })
    },
    jobs: [...importJobs(database, { phones }), ...bulkEditJobs({ database, phones })],
  }),
}
