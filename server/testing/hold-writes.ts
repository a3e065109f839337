import type { TestApp } from './app.ts'
import { connectOwner } from './connect-owner.ts'
import { until } from './process.ts'

interface HeldWrites {
  /** Resolves when a transaction waits at the row. */
  reached(): Promise<void>
  /** Lets every transaction write the row from now on. */
  release(): Promise<void>
}

/** Any number that the service does not use for an advisory lock of its own. */
const firstKey = 777_000_000
let holds = 0

/**
 * Transactions that are about to write a certain row wait until the test releases them, so that a worker cannot get
 * past that row however late the test acts. `rows` is the middle of a trigger's definition, such as
 * `insert on contacts for each row when (new.name = 'Ada')`.
 */
export async function holdWrites(app: Pick<TestApp, 'connection'>, rows: string): Promise<HeldWrites> {
  const owner = await connectOwner(app)
  const key = firstKey + ++holds
  const name = `hold_writes_${holds}`
  await owner.query(`select pg_advisory_lock(${key})`)
  await owner.query(`
    create function ${name}() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock_shared(${key}); return new; end $$;
    create trigger ${name} before ${rows} execute function ${name}()`)
  const waiting = `
    select from pg_locks where locktype = 'advisory' and not granted and objid = ${key}
      and database = (select oid from pg_database where datname = current_database())`
  return {
    reached: () => until(async () => (await owner.query(waiting)).rowCount !== 0),
    release: async () => {
      await owner.query(`select pg_advisory_unlock(${key})`)
    },
  }
}
