import type { FastifyInstance } from 'fastify'
import type { Database } from './database.ts'
import type { Jobs } from './jobs.ts'
import { pendingMigrations } from './migrate.ts'

/** `/healthz`: the process lives. `/readyz`: it can do its work, or says which part it cannot reach. */
export function healthRoutes(server: FastifyInstance, { database, jobs }: { database: Database; jobs: Jobs }): void {
  server.get('/healthz', async () => ({ status: 'ok' }))

  server.get('/readyz', async (_request, reply) => {
    const [migrations, queue] = await Promise.all([
      pendingMigrations((text) => database.forSystem().raw(text, [])).catch(() => undefined),
      jobs.healthy(),
    ])
    const checks = {
      database: migrations === undefined ? 'unreachable' : 'ok',
      migrations: migrations === undefined ? 'unknown' : migrations === 0 ? 'ok' : `${migrations} pending`,
      queue: queue ? 'ok' : 'unreachable',
    }
    const ready = Object.values(checks).every((check) => check === 'ok')
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', checks })
  })
}
