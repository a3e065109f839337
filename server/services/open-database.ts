import type { ClientConfig } from 'pg'
import type { Settings } from '../config.ts'
import { connectionTo } from '../platform/connection.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../platform/embedded-postgres.ts'
import { embeddedTenantConnection } from '../platform/tenant-login.ts'

export interface OpenDatabase {
  /** How to connect as its owner. */
  connection: ClientConfig
  /**
   * How requests connect: as a role that can become `frontdesk_tenant` only, or as the owner without
   * TENANT_DATABASE_URL.
   */
  tenantConnection: ClientConfig
  /** How requests connect to the streaming replica, if there is one. */
  replicaConnection?: ClientConfig | undefined
  close: EmbeddedPostgres['close']
}

/** The PostgreSQL that the settings name, or the embedded one, started if it is not running. */
export async function openDatabase(settings: Settings, log: (message: string) => void): Promise<OpenDatabase> {
  if (settings.DATABASE_URL) {
    const at = (url: string) => ({ ...connectionTo(url), connectionTimeoutMillis: 10_000 })
    return {
      connection: at(settings.DATABASE_URL),
      tenantConnection: at(settings.TENANT_DATABASE_URL ?? settings.DATABASE_URL),
      replicaConnection: settings.REPLICA_DATABASE_URL ? at(settings.REPLICA_DATABASE_URL) : undefined,
      close: async () => {},
    }
  }
  const embedded = await startEmbeddedPostgres({ dataDir: settings.DATA_DIR, log })
  const { connection, close } = embedded
  return { connection, tenantConnection: embeddedTenantConnection(connection), close }
}
