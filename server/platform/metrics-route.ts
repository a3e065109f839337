import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from './database.ts'
import { unauthorized } from './errors.ts'
import type { FeatureParts } from './feature.ts'
import type { Metrics } from './metrics.ts'
import { readJobDepths, readJobs, readSubscriptionDepths } from './queue-depths.ts'
import { hashToken } from './secrets.ts'

interface MetricsServices {
  metrics: Metrics
  database: Database
  settings: { METRICS_TOKEN?: string }
}

/** Prometheus metrics at `/metrics`, for requests from this machine or with the token. */
export function metricsRoutes(
  server: FastifyInstance,
  { metrics, database, settings: { METRICS_TOKEN: token } }: MetricsServices,
  parts: Pick<FeatureParts, 'gauges' | 'queues' | 'subscriptions'>[],
): void {
  const durations = metrics.histogram(
    'frontdesk_http_request_duration_seconds',
    'How long requests took, by route and status',
    ['method', 'route', 'status'],
    [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  )
  metrics.gauge('frontdesk_database_connections', 'Connections of each pool, by state', ['pool', 'state'], () =>
    Object.entries(database.pools).flatMap(([pool, { totalCount, idleCount, waitingCount }]) => [
      { labels: { pool, state: 'busy' }, value: totalCount - idleCount },
      { labels: { pool, state: 'idle' }, value: idleCount },
      { labels: { pool, state: 'waiting' }, value: pool === 'tenant' ? database.waitingTenants : waitingCount },
    ]),
  )
  metrics.gauge('frontdesk_jobs', 'Jobs of each queue, by state', ['queue', 'state'], async () =>
    (await readJobs(database.forSystem())).flatMap(({ queue, ...states }) =>
      Object.entries(states).map(([state, value]) => ({ labels: { queue, state }, value })),
    ),
  )
  metrics.queues({ read: () => readJobDepths(database.forSystem()) })
  const subscriptions = parts.flatMap((part) => part.subscriptions ?? []).map(({ name }) => name)
  metrics.queues({ read: () => readSubscriptionDepths(database.forSystem(), subscriptions) })
  for (const { name, help, read } of parts.flatMap((part) => part.gauges ?? []))
    metrics.gauge(name, help, ['state'], async () =>
      Object.entries(await read()).map(([state, value]) => ({ labels: { state }, value })),
    )
  for (const queue of parts.flatMap((part) => part.queues ?? [])) metrics.queues(queue)

  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    done()
  })
  server.get('/metrics', async (request, reply) => {
    if (!mayRead(request, token)) throw unauthorized()
    await metrics.read()
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics())
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
