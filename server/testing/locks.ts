import pg from 'pg'
import type { TestApp } from './app.ts'
import { until } from './process.ts'

/** Resolves when a transaction waits for another one. */
export async function lockWaited({ connection }: TestApp): Promise<void> {
  const owner = new pg.Client(connection)
  await owner.connect()
  await until(async () => {
    const { rowCount } = await owner.query(
      "select from pg_stat_activity where datname = current_database() and wait_event in ('transactionid', 'tuple')",
    )
    return rowCount !== 0
  })
  await owner.end()
}
