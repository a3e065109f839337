import type { FastifyInstance } from 'fastify'
import type { SimulatorHost } from '../simulator/host-simulator.ts'
import { consolePages, missingPage } from './console/console-pages.ts'
import { aboutApi } from './docs/about.ts'
import { agentReplies } from './features/agent-replies/feature.ts'
import { agents } from './features/agents/feature.ts'
import { audit } from './features/audit/feature.ts'
import { calls } from './features/calls/feature.ts'
import { campaigns } from './features/campaigns/feature.ts'
import { channels } from './features/channels/feature.ts'
import { contacts } from './features/contacts/feature.ts'
import { dashboard } from './features/dashboard/feature.ts'
import { drafts } from './features/drafts/feature.ts'
import { events } from './features/events/feature.ts'
import { files } from './features/files/feature.ts'
import { hooks } from './features/hooks/feature.ts'
import { inbox } from './features/inbox/feature.ts'
import { installation } from './features/installation/feature.ts'
import { knowledge } from './features/knowledge/feature.ts'
import { mcp } from './features/mcp/feature.ts'
import { notifications } from './features/notifications/feature.ts'
import { organizations } from './features/organizations/feature.ts'
import { privacy } from './features/privacy/feature.ts'
import { providerKeys } from './features/provider-keys/feature.ts'
import { reports } from './features/reports/feature.ts'
import { schedules } from './features/schedules/feature.ts'
import { simulator } from './features/simulator/feature.ts'
import { sla } from './features/sla/feature.ts'
import { stream } from './features/stream/feature.ts'
import { tasks } from './features/tasks/feature.ts'
import { teams } from './features/teams/feature.ts'
import { templates } from './features/templates/feature.ts'
import { ticketAnalyses } from './features/ticket-analyses/feature.ts'
import { webhooks } from './features/webhooks/feature.ts'
import type { Database } from './platform/database.ts'
import type { Subscription } from './platform/events.ts'
import { type Declared, declaredBy, type Feature } from './platform/feature.ts'
import { healthRoutes } from './platform/health.ts'
import { docsRoutes } from './platform/http/docs.ts'
import { httpState } from './platform/http/feature.ts'
import { closerOfIdleConnections } from './platform/http/idle-connections.ts'
import { createRoutes, type Routes } from './platform/http/routes.ts'
import { createServer } from './platform/http/server.ts'
import { traceRequests } from './platform/http/trace-requests.ts'
import type { Jobs } from './platform/jobs.ts'
import { metricsRoutes } from './platform/metrics-route.ts'
import type { FileStore } from './providers/files/contract.ts'
import { listeningAddress, serverSettings } from './services/from-settings.ts'
import { openServices, type ServiceOptions, type Services } from './services/open-services.ts'
import { startWork, type Work } from './services/start-work.ts'
import { closeNode, drainNode } from './services/stop-node.ts'

/** Every feature, in the order in which the API reference shows their operations. */
const features: Feature<Services & Declared & { version: string }>[] = [
  httpState,
  organizations,
  audit,
  contacts,
  privacy,
  tasks,
  dashboard,
  events,
  stream,
  channels,
  schedules,
  inbox,
  teams,
  sla,
  notifications,
  templates,
  campaigns,
  knowledge,
  webhooks,
  providerKeys,
  agents,
  agentReplies,
  ticketAnalyses,
  drafts,
  calls,
  reports,
  hooks,
  simulator,
  mcp,
  files,
  installation,
]

const declared = declaredBy(features)
export const { jobKinds, eventKinds, personalData, personalMentions, retention } = declared

export interface App {
  server: FastifyInstance
  database: Database
  jobs: Jobs
  files: FileStore
  routes: Routes
  /** Stands in for the chat platform and the carrier in test mode. */
  simulator: SimulatorHost
  /**
   * Turns load balancers away and takes no new work, while requests are still served. Resolves when the calls that this
   * node holds are over, or when `hurry` is aborted.
   */
  drain(hurry: AbortSignal): Promise<void>
  close(): Promise<void>
}

interface AppOptions extends Omit<ServiceOptions, 'server' | 'checkRows'> {
  checkRows?: boolean
  /** For tests: additional event subscriptions. */
  subscriptions?: Subscription[]
}

/** The composition root: settings → services → features → server. Read it first. */
export async function createApp({ subscriptions = [], checkRows = false, ...options }: AppOptions): Promise<App> {
  // Closes in reverse order whatever was opened, also when a later step fails.
  await using opening = new AsyncDisposableStack()
  const { settings, log } = options
  const services = await openServices({ ...options, checkRows, server: () => server }, opening)
  const { database, jobs, files: fileStore, simulator: host } = services
  const server = await createServer({ ...serverSettings(settings), ...declared, log, missingPage })
  traceRequests(server, services.tracer)
  const closeIdleConnections = closerOfIdleConnections(server.server)
  const about = aboutApi(settings)
  const parts = features.map((feature) => feature.open({ ...services, ...declared, version: about.version }))

  metricsRoutes(server, services, parts)
  const health = healthRoutes(server, { database, jobs, dataDir: settings.DATA_DIR })
  consolePages(server)
  const routes = createRoutes(server, { ...services, ...declared, defaultRateLimit: services.rateLimit })
  for (const part of parts) part.routes?.(routes, server)
  docsRoutes(server, routes, about)
  server.addHook('onListen', () => host.announce(listeningAddress(server)))

  const running = parts.flatMap(({ start }) => start?.(server.server) ?? [])
  let work: Work | undefined
  opening.defer(async () => {
    await Promise.all([work?.stop(), jobs.close(), ...running.map((part) => part.close())])
  })
  work = await startWork(services, parts, subscriptions)
  host.resume().catch((error) => log.warn({ err: error }, 'simulator: resuming failed'))

  const node = { server, services, running, work, health, closeIdleConnections, opened: opening.move() }
  const drain = (hurry: AbortSignal) => drainNode(node, hurry)
  const close = () => closeNode(node)
  return { server, database, jobs, files: fileStore, routes, simulator: host, drain, close }
}
