import Type from 'typebox'
import type { Database } from '../database.ts'
import { RateLimited } from '../errors.ts'
import { sql } from '../sql.ts'

export interface RateLimit {
  name: string
  perMinute: number
}

export interface RateLimiter {
  /** Takes one token of the caller's minute, or throws. */
  take(limit: RateLimit, caller: string): Promise<void>
  /** Counts one more of the caller's minute and answers how many there were on all nodes, this one included. */
  count(name: string, caller: string): Promise<number>
}

interface Lease {
  left: number
  /** Requests that wait for more tokens: the next block is at least as large. */
  waiting: number
  /** performance.now() at which the window, and with it the lease, ends. */
  endsAt: number
  exhausted: boolean
  renewal: Promise<void> | undefined
}

const Window = Type.Object({ used: Type.Integer(), ms_left: Type.Number() })
const windowMs = 60_000
/** Fits the column that the answer is read as, with room for as many again. */
const mostCounted = 1_000_000_000

/** A window that lies ahead was begun before somebody set the clock back. */
const isOver = sql`w.started_at not between now() - interval '60 seconds' and now() + interval '60 seconds'`

/**
 * One fixed window a caller and minute, shared by all nodes through the database. A node leases tokens in blocks of a
 * hundredth of the limit, so a busy caller costs one small write in many requests; what a node leased and did not
 * use is lost with the window, so a caller may get up to one block a node less than its limit, never more.
 */
export function createRateLimiter(database: Database): RateLimiter {
  const leases = new Map<string, Lease>()
  const sweep = () => {
    const now = performance.now()
    for (const [bucket, lease] of leases) if (lease.endsAt <= now) leases.delete(bucket)
  }

  /** Uses that many of the bucket's window, beginning a new one if it is over; what is beyond `most` is not remembered. */
  const use = (bucket: string, amount: number, most: number) => database.forSystem().one(Window)`
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
        // The window was used up when we last asked, and has not ended since.
        if (performance.now() < lease.endsAt && lease.exhausted)
          throw new RateLimited(secondsUntil(lease.endsAt), perMinute)
        // Many requests may find the lease used up at once: one of them asks, the others wait for its answer.
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
