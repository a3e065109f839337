import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from './database.ts'
import { unauthorized } from './errors.ts'
import { hashToken } from './secrets.ts'

/** A gauge of a feature, by state, read at each scrape. */
export interface StateGauge {
  name: string
  help: string
  read(): Promise<Record<string, number>>
}

/** Prometheus metrics at `/metrics`, for requests from this machine or with the token. */
export function metricsRoutes(
  server: FastifyInstance,
  { database, token, gauges }: { database: Database; token: string | undefined; gauges: StateGauge[] },
): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'frontdesk_http_request_duration_seconds',
    help: 'How long requests took, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  new Gauge({
    name: 'frontdesk_database_connections',
    help: 'Connections of each pool, by state',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(database.pools)) {
        this.set({ pool, state: 'busy' }, totalCount - idleCount)
        this.set({ pool, state: 'idle' }, idleCount)
        this.set({ pool, state: 'waiting' }, waitingCount)
      }
    },
  })
  new Gauge({
    name: 'frontdesk_jobs',
    help: 'Jobs of each queue, by state',
    labelNames: ['queue', 'state'],
    registers: [registry],
    async collect() {
      const { rows } = await database
        .forSystem()
        .raw('select name, queued_count, active_count, deferred_count from pgboss.queue', [])
      for (const { name, queued_count, active_count, deferred_count } of rows as Record<string, string>[]) {
        this.set({ queue: String(name), state: 'queued' }, Number(queued_count))
        this.set({ queue: String(name), state: 'active' }, Number(active_count))
        this.set({ queue: String(name), state: 'deferred' }, Number(deferred_count))
      }
    },
  })

  for (const { name, help, read } of gauges)
    new Gauge({
      name,
      help,
      labelNames: ['state'],
      registers: [registry],
      async collect() {
        for (const [state, n] of Object.entries(await read())) this.set({ state }, n)
      },
    })

  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    done()
  })
  server.get('/metrics', async (request, reply) => {
    if (!mayRead(request, token)) throw unauthorized()
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

function mayRead(request: FastifyRequest, token: string | undefined): boolean {
  if (token !== undefined) {
    const given = request.headers.authorization?.replace(/^Bearer /i, '') ?? ''
    return timingSafeEqual(hashToken(given), hashToken(token))
  }
  // Behind a proxy on this machine, every request seems to come from here.
  const forwarded = request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined
  return !forwarded && /^(::ffff:)?127\.|^::1$/.test(request.ip)
}
