import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { drainDelayMs } from '../config.ts'
import type { RunningPart } from '../platform/feature.ts'
import type { Health } from '../platform/health.ts'
import type { Services } from './open-services.ts'
import type { Work } from './start-work.ts'

/** Supervisors send SIGKILL 10 s after SIGTERM: outbound requests end early enough to record their outcome. */
const outboundDrainMs = 4_000

interface Node {
  server: FastifyInstance
  services: Services
  running: RunningPart[]
  work: Work
  health: Health
  closeIdleConnections(): void
  /** Closes in reverse order whatever was opened. */
  opened: AsyncDisposableStack
}

/**
 * Turns load balancers away and takes no new work, while requests are still served. Resolves when the calls that this
 * node holds are over, or when `hurry` is aborted.
 */
export async function drainNode({ server, services, running, work, health }: Node, hurry: AbortSignal): Promise<void> {
  const { log, settings, simulator } = services
  health.isDraining = true
  // Closing waits for it again, and reports its failure.
  work.stop().catch(() => {})
  simulator.withdraw().catch((error) => log.warn({ err: error }, 'simulator: withdrawing the listener address failed'))
  // Clients that keep connections open reconnect, to another node once their balancer has noticed.
  server.server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'))
  await sleep(drainDelayMs(settings), undefined, { signal: hurry }).catch(() => {})
  await Promise.all(running.map((part) => part.drain?.(hurry)))
}

export async function closeNode({
  server,
  services,
  running,
  work,
  closeIdleConnections,
  opened,
}: Node): Promise<void> {
  work.stop().catch(() => {})
  const closing = setInterval(closeIdleConnections, 20)
  const abortOutbound = setTimeout(() => void services.http.close(), outboundDrainMs)
  await Promise.all(running.map((part) => part.beforeServerCloses?.()))
  await server.close()
  clearInterval(closing)
  clearTimeout(abortOutbound)
  await opened.disposeAsync()
}
