import type { Resolver } from 'node:dns/promises'
import Type from 'typebox'
import type { Database } from '../../../platform/database.ts'
import { defineHandler, defineJob, type JobHandler } from '../../../platform/jobs.ts'
import type { Log } from '../../../platform/log.ts'
import { checkDomains } from './check-domains.ts'

export const checkDomainsJob = defineJob('organizations.check-domains', Type.Object({}))

export const domainJobs = (services: { database: Database; resolver: Resolver; log: Log }): JobHandler[] => [
  defineHandler({
    kind: checkDomainsJob,
    schedule: '12 * * * *',
    handle: (_, { signal }) => checkDomains(services, signal),
  }),
]
