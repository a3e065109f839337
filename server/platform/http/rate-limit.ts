import Type from 'typebox'
import type { Database } from '../database.ts'
import { RateLimited } from '../errors.ts'
import { sql } from '../sql.ts'
import type { Principal } from './principal.ts'

export interface RateLimit {
  name: string
  perMinute: number
}

/** The limit of the caller's organization, if an operator has set one. */
export const ownLimit = ({ requestsPerMinute }: Principal, limit: RateLimit): RateLimit =>
  requestsPerMinute ? { ...limit, perMinute: requestsPerMinute } : limit

export interface RateLimiter {
  /** Takes one token of the caller's current minute, or throws. */
  take(limit: RateLimit, caller: string): Promise<void>
  /** Counts one more request in the caller's current minute and returns the count over all nodes. */
  count(name: string, caller: string): Promise<number>
}

interface Lease {
  left: number
  /** Requests that wait for more tokens: the next block is at least as large. */
  waiting: number
  /** When the window, and with it the lease, ends, by performance.now(). */
  endsAt: number
  exhausted: boolean
  renewal: Promise<void> | undefined
}

const Window = Type.Object({ used: Type.Integer(), ms_left: Type.Number() })
const windowMs = 60_000
/** Fits the integer that the result is read as, even after adding as much again. */
const mostCounted = 1_000_000_000

/** A window that starts in the future was created before the clock was set back. */
const isOver = sql`w.started_at not between now() - interval '60 seconds' and now() + interval '60 seconds'`

/**
 * One fixed window per caller and minute, shared by all nodes through the database. A node leases tokens in blocks of a
 * hundredth of the limit, so a busy caller costs one small write per block; tokens that a node leased and did not use
 * are lost with the window, so a caller may get up to one block per node less than its limit, and more only
 * after a crash of PostgreSQL, which loses the counts of its last second.
 */
export function createRateLimiter(database: Database): RateLimiter {
  const leases = new Map<string, Lease>()
  const sweep = () => {
    const now = performance.now()
    for (const [bucket, lease] of leases) if (lease.endsAt <= now) leases.delete(bucket)
  }

  /**
   * Adds the amount to the bucket's window, or starts a new window if it is over. The count is capped at `most` plus
   * the amount.
   */
  const use = (bucket: string, amount: number, most: number) => database.forAccess().one(Window)`
    insert into rate_limit_windows as w (bucket, started_at, used) values (${bucket}, now(), ${amount})
    on conflict (bucket) do update set
      started_at = case when ${isOver} then now() else w.started_at end,
      used = case when ${isOver} then excluded.used else least(w.used, ${most}) + excluded.used end
    returning used::integer, extract(epoch from started_at + interval '60 seconds' - now())::float8 * 1000 as ms_left`

  async function renew(bucket: string, lease: Lease, perMinute: number): Promise<void> {
    try {
      await ask(bucket, lease, perMinute)
    } finally {
      lease.renewal = undefined
    }
  }

  async function ask(bucket: string, lease: Lease, perMinute: number): Promise<void> {
    const block = Math.max(1, Math.floor(perMinute / 100), lease.waiting)
    const { used, ms_left } = await use(bucket, block, perMinute)
    lease.left = Math.max(0, Math.min(block, perMinute - (used - block)))
    lease.exhausted = lease.left === 0
    lease.endsAt = performance.now() + Math.min(ms_left, windowMs)
  }

  return {
    count: async (name, caller) => (await use(`${name} ${caller}`, 1, mostCounted)).used,
    async take({ name, perMinute }, caller) {
      const bucket = `${name} ${caller}`
      let lease = leases.get(bucket)
      if (!lease) {
        if (leases.size > 10_000) sweep()
        lease = { left: 0, waiting: 0, endsAt: 0, exhausted: false, renewal: undefined }
        leases.set(bucket, lease)
      }
      for (;;) {
        if (performance.now() < lease.endsAt && lease.left > 0) {
          lease.left--
          return
        }
        // The window was used up at the last request to the database and has not ended since.
        if (performance.now() < lease.endsAt && lease.exhausted)
          throw new RateLimited(secondsUntil(lease.endsAt), perMinute)
        // Many requests may find the lease used up at the same moment: one of them asks the database, the others wait
        // for its result.
        lease.waiting++
        lease.renewal ??= renew(bucket, lease, perMinute)
        await lease.renewal.finally(() => {
          ;(lease as Lease).waiting--
        })
      }
    },
  }
}

const secondsUntil = (time: number) => Math.min(60, Math.max(1, Math.ceil((time - performance.now()) / 1000)))
