import type { ClientConfig } from 'pg'
import type { Settings } from '../config.ts'
import { connectionTo } from '../platform/connection.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../platform/embedded-postgres.ts'

export interface OpenDatabase {
  /** How to reach it as its owner. */
  connection: ClientConfig
  close: EmbeddedPostgres['close']
}

/** The PostgreSQL that the settings name, or the embedded one, started if it does not run yet. */
export async function openDatabase(settings: Settings, log: (message: string) => void): Promise<OpenDatabase> {
  if (settings.DATABASE_URL) {
    const connection = { ...connectionTo(settings.DATABASE_URL), connectionTimeoutMillis: 10_000 }
    return { connection, close: async () => {} }
  }
  const embedded = await startEmbeddedPostgres({ dataDir: settings.DATA_DIR, log })
  return { connection: embedded.connection, close: embedded.close }
}
