import type { ClientConfig } from 'pg'
import { migrate } from '../platform/migrate.ts'

interface Connections {
  connection: ClientConfig
  tenantConnection: ClientConfig
  replicaConnection?: ClientConfig | undefined
}

/** Brings tables, roles and queues up to date; returns the number of applied migrations. */
export const migrateEverything = (
  { connection, tenantConnection, replicaConnection }: Connections,
  log?: (message: string) => void,
): Promise<number> =>
  migrate(connection, {
    ...(log && { log }),
    tenantConnection,
    replicaConnection,
    afterwards: () => migrateQueues(connection),
  })

/** For a command, which would load the whole service to find its queues up to date: looks at them after migrations. */
export const migrateForCommand = ({ connection, tenantConnection }: Connections): Promise<number> =>
  migrate(connection, {
    tenantConnection,
    afterwards: async (applied) => {
      if (applied > 0) await migrateQueues(connection)
    },
  })

async function migrateQueues(connection: ClientConfig): Promise<void> {
  const [{ jobKinds }, { migrateJobs }] = await Promise.all([
    import('../app.ts'),
    import('../platform/migrate-jobs.ts'),
  ])
  await migrateJobs(connection, jobKinds)
}
