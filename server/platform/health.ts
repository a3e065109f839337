import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Database } from './database.ts'
import type { Jobs } from './jobs.ts'
import { pendingMigrations } from './migrate.ts'

interface HealthDependencies {
  database: Database
  jobs: Jobs
  /** Where uploads, recordings and the embedded database are kept. */
  dataDir: string
}

export interface Health {
  /** Whether this node is shutting down. */
  isDraining: boolean
}

/** One segment of PostgreSQL's write-ahead log: with less free space, the embedded server may stop at any moment. */
const leastFreeBytes = 16 * 1024 * 1024

/** A probe that gets no answer in this time counts as failed: balancers do not wait for long either. */
const probeTimeoutMs = 3_000
const withinLimit = <T, F>(probe: Promise<T>, otherwise: F): Promise<T | F> =>
  Promise.race([probe, sleep(probeTimeoutMs, otherwise, { ref: false })])

/** `/healthz`: the process is alive. `/readyz`: it can do its work, or the response names the part that fails. */
export function healthRoutes(server: FastifyInstance, deps: HealthDependencies): Health {
  const health: Health = { isDraining: false }
  const check = createHealthChecks(deps)
  server.get('/healthz', async () => ({ status: 'ok' }))

  server.get('/readyz', async (_request, reply) => {
    if (health.isDraining) return reply.code(503).send({ status: 'draining', checks: {} })
    const checks = await check()
    const ready = Object.values(checks).every((check) => check === 'ok')
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', checks })
  })
  return health
}

export type HealthChecks = () => Promise<Record<string, string>>

/** Each part that this node needs: `ok`, or what is wrong with it. */
export function createHealthChecks({ database, jobs, dataDir }: HealthDependencies): HealthChecks {
  const canWrite = shared(() => probeWriting(database), probeEveryMs)
  return async () => {
    const [migrations, storage, disk, queue] = await Promise.all([
      withinLimit(
        pendingMigrations((text) => database.forSystem().raw(text, [])).catch(() => undefined),
        undefined,
      ),
      withinLimit(canWrite(), 'cannot write'),
      probeDisk(dataDir),
      withinLimit(jobs.healthy(), false),
    ])
    const isReachable = migrations !== undefined
    return {
      database: isReachable ? storage : 'unreachable',
      migrations: !isReachable ? 'unknown' : migrations === 0 ? 'ok' : `${migrations} pending`,
      queue: queue ? 'ok' : 'unreachable',
      disk,
    }
  }
}

/** The endpoint is public: the database is written to at most once in this time, however often it is called. */
const probeEveryMs = 1_000

function shared<T>(work: () => Promise<T>, forMs: number): () => Promise<T> {
  let last: { at: number; result: Promise<T> } | undefined
  return () => {
    if (!last || performance.now() - last.at > forMs) last = { at: performance.now(), result: work() }
    return last.result
  }
}

class RollBack extends Error {}

/** Nearly a PostgreSQL page, so that two do not fit on one page. */
const filler = Buffer.alloc(7_000)

/** Allocates a new page of the database and frees it again. */
async function probeWriting(database: Database): Promise<'ok' | 'cannot write'> {
  try {
    await database.inSystem(async (tx) => {
      await tx.run`insert into write_probes (filler) values (${filler})`
      throw new RollBack()
    })
  } catch (error) {
    // If the table is missing, the `migrations` check says why.
    if (!(error instanceof RollBack) && (error as { code?: string }).code !== '42P01') return 'cannot write'
  }
  return 'ok'
}

/** A folder that does not exist yet, or a file system that does not report its free space, counts as having room. */
async function probeDisk(folder: string): Promise<'ok' | 'full'> {
  const free = await statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => Infinity,
  )
  return free < leastFreeBytes ? 'full' : 'ok'
}
