import type { TestApp } from './app.ts'
import { connectOwner } from './connect-owner.ts'
import { until } from './process.ts'

/** Resolves when a transaction waits for another one. */
export async function lockWaited(app: Pick<TestApp, 'connection'>): Promise<void> {
  const owner = await connectOwner(app)
  await until(async () => {
    // What a session of another role waits for is hidden from an owner who is no superuser; its locks are not.
    const { rowCount } = await owner.query(`
      select from pg_locks l join pg_stat_activity a using (pid)
      where a.datname = current_database() and not l.granted and l.locktype in ('transactionid', 'tuple')`)
    return rowCount !== 0
  })
}
