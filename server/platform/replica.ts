import type pg from 'pg'
import type { Log } from './log.ts'
import { startLoop } from './loop.ts'

/** A replica that is further behind is not read. */
const maxLagMs = 10_000
const checkEveryMs = 1_000
const timeoutMs = 2_000

interface Replica {
  readonly pool: pg.Pool
  /** Whether the replica answers and has everything that was committed before the last `maxLagMs`. */
  readonly isFresh: boolean
  close(): Promise<void>
}

/**
 * Compares how far the replica has replayed the log with where the primary was a moment ago. The time of the last
 * replayed transaction would not do: it stands still when nothing is written, and when the stream is cut.
 */
export function watchReplica(primary: pg.Pool, replica: pg.Pool, log: Log): Replica {
  let isFresh = false
  let fault: unknown
  let samples: { at: number; position: bigint }[] = []

  async function check(): Promise<boolean> {
    const at = performance.now()
    const written = await readPosition(primary, 'pg_current_wal_lsn()')
    if (written !== undefined) samples.push({ at, position: written })
    const replayed = await readPosition(replica, 'pg_last_wal_replay_lsn()')
    if (replayed === undefined)
      throw new Error('REPLICA_DATABASE_URL points to a server that is not a streaming replica')
    samples = samples.filter((sample) => sample.at > performance.now() - maxLagMs)
    return samples.some(({ position }) => position <= replayed)
  }

  const onFault = { fault: 'replica: check failed', afterFailureMs: checkEveryMs }
  const loop = startLoop(log, onFault, async () => {
    const wasFresh = isFresh
    const previousFault = fault
    fault = undefined
    isFresh = await check().catch((error) => {
      fault = error
      return false
    })
    // Not every second: an operator needs to know when it begins and when it ends.
    if (fault && !previousFault) log.warn({ err: fault }, 'replica: not available, reading from the primary')
    else if (!fault && wasFresh && !isFresh) log.warn('replica: too far behind, reading from the primary')
    else if (!wasFresh && isFresh) log.info('replica: up to date, exports and reports read from it')
    return checkEveryMs
  })
  return {
    pool: replica,
    get isFresh() {
      return isFresh
    },
    async close() {
      await loop.close()
      await replica.end()
    },
  }
}

/** A position in the write-ahead log, such as `1/6B3F2A8`, as a number; undefined for null. */
async function readPosition(pool: pg.Pool, expression: string): Promise<bigint | undefined> {
  const query = { text: `select ${expression} as position`, query_timeout: timeoutMs }
  const { rows } = await pool.query<{ position: string | null }>(query)
  const [high, low] = rows[0]?.position?.split('/') ?? []
  return high === undefined ? undefined : (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}
