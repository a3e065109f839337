import { setTimeout as wait } from 'node:timers/promises'
import Type from 'typebox'
import type { Database, SystemSql } from '../../../platform/database.ts'

/** Longer than a request may take. */
const leaseSeconds = 90
const pollMs = 500
/** After this long the worker takes other work. */
const leaseTimeoutMs = 10_000

const Free = Type.Object({ ms: Type.Number() })
const Taken = Type.Object({ host: Type.String() })

const takeLease = (sql: SystemSql, host: string) =>
  sql.maybe(Taken)`
    insert into web_hosts (host, leased_until) values (${host}, now() + make_interval(secs => ${leaseSeconds}))
    on conflict (host) do update set leased_until = excluded.leased_until
    where web_hosts.leased_until <= now() and web_hosts.next_request_at <= now()
    returning host`

const readWait = async (sql: SystemSql, host: string): Promise<number> =>
  (
    await sql.maybe(Free)`
      select (extract(epoch from greatest(leased_until, next_request_at) - now()) * 1000)::float8 as ms
      from web_hosts where host = ${host}`
  )?.ms ?? 0

const releaseLease = (sql: SystemSql, host: string, delayMs: number) =>
  sql.run`
    update web_hosts set leased_until = now(), next_request_at = now() + make_interval(secs => ${delayMs / 1000})
    where host = ${host}`

/** The host is in use by another crawl for longer than this worker waits. */
export class HostBusy extends Error {}

/** Runs one request to a host at a time in the whole installation. The next one starts `delayMs` after its end. */
export async function withHost<T>(
  database: Database,
  { url, delayMs, signal }: { url: string; delayMs: number; signal: AbortSignal },
  request: () => Promise<T>,
): Promise<T> {
  const { host } = new URL(url)
  const sql = database.forSystem()
  const givesUpAt = performance.now() + leaseTimeoutMs + delayMs
  while (!(await takeLease(sql, host))) {
    if (performance.now() > givesUpAt) throw new HostBusy()
    await wait(Math.min(pollMs, Math.max(10, await readWait(sql, host))), undefined, { signal })
  }
  try {
    return await request()
  } finally {
    await releaseLease(sql, host, delayMs)
  }
}

/** Deletes hosts that got no request for a day. */
export const forgetHosts = (sql: SystemSql) =>
  sql.run`delete from web_hosts where greatest(leased_until, next_request_at) < now() - interval '1 day'`
