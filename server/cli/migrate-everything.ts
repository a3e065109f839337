import type { ClientConfig } from 'pg'
import { jobKinds } from '../app.ts'
import { migrateJobs } from '../platform/jobs.ts'
import { migrate } from '../platform/migrate.ts'

/** Brings tables, roles and queues up to date; returns the number of applied migrations. */
export const migrateEverything = (
  { connection, tenantConnection }: { connection: ClientConfig; tenantConnection: ClientConfig },
  log?: (message: string) => void,
): Promise<number> =>
  migrate(connection, { ...(log && { log }), tenantConnection, afterwards: () => migrateJobs(connection, jobKinds) })
