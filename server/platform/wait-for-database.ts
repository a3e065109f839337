import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import { serviceClient } from './connection.ts'
import { isStartingUp } from './unavailable.ts'

interface Waiting {
  log: (message: string) => void
  /** How long PostgreSQL may take to start. */
  timeoutMs: number
}

const tryEveryMs = 500
const remindEveryMs = 10_000

/**
 * A node and its PostgreSQL are often started together: waits until the server accepts connections. Errors that waiting
 * does not fix, such as a wrong password or an unknown host name, are thrown immediately.
 */
export async function waitForDatabase(connection: ClientConfig, { log, timeoutMs }: Waiting): Promise<void> {
  const began = performance.now()
  let remindAt = began
  for (;;) {
    const client = serviceClient(connection, 'frontdesk start')
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      client.end().catch(() => {})
      if (/unsupported startup parameter/.test((error as Error).message))
        throw new Error(
          'DATABASE_URL leads to a pooler, which cannot keep sessions. Set it to the PostgreSQL server itself, and DATABASE_POOLER_URL to the pooler',
          { cause: error },
        )
      if (!isStartingUp(error)) throw error
      const now = performance.now()
      const { message } = error as Error
      const reason = message || (error as NodeJS.ErrnoException).code
      const seconds = Math.round(timeoutMs / 1000)
      if (now - began >= timeoutMs)
        throw new Error(
          `PostgreSQL at ${client.host}:${client.port} did not accept connections within ${seconds} seconds (${reason}). ` +
            'Start it, or check the address in DATABASE_URL.',
          { cause: error },
        )
      if (now >= remindAt) {
        log(
          `database: PostgreSQL at ${client.host}:${client.port} is not ready (${reason}), waiting up to ${seconds} seconds`,
        )
        remindAt = now + remindEveryMs
      }
      await sleep(tryEveryMs)
    }
  }
}
