import type { FastifyInstance } from 'fastify'
import type { ClientConfig } from 'pg'
import { isLoopback, type Settings, secretKey } from './config.ts'
import { aboutApi } from './docs/about.ts'
import { channelEvents } from './features/channels/events.ts'
import { channelRoutes } from './features/channels/routes.ts'
import { contactEvents } from './features/contacts/events.ts'
import { importContactsJob, importJobs, sweepUploadsJob } from './features/contacts/imports/jobs.ts'
import { importRoutes } from './features/contacts/imports/routes.ts'
import { contactRoutes } from './features/contacts/routes.ts'
import { dashboardRoutes } from './features/dashboard/routes.ts'
import { eventJobs, expireEventsJob } from './features/events/jobs.ts'
import { eventRoutes } from './features/events/routes.ts'
import { createAuthentication } from './features/organizations/credentials/authenticate.ts'
import { createKeyCredentials } from './features/organizations/credentials/key-credentials.ts'
import { createPersonCredentials } from './features/organizations/credentials/person-credentials.ts'
import { openSigningKeys } from './features/organizations/credentials/signing-keys.ts'
import { createTrustedIssuer } from './features/organizations/credentials/trusted-issuer.ts'
import { keyRoutes } from './features/organizations/keys/routes.ts'
import { peopleRoutes } from './features/organizations/members/routes.ts'
import { organizationRoutes } from './features/organizations/routes.ts'
import { createCookies } from './features/organizations/sign-in/cookies.ts'
import { publishSigningKeys, signInRoutes } from './features/organizations/sign-in/routes.ts'
import { taskEvents } from './features/tasks/events.ts'
import { taskRoutes } from './features/tasks/routes.ts'
import { createDatabase, type Database } from './platform/database.ts'
import { type EventKind, type Subscription, startSubscriptions } from './platform/events.ts'
import { healthRoutes } from './platform/health.ts'
import { cleanUpHttpJob, httpJobs } from './platform/http/cleanup.ts'
import { docsRoutes } from './platform/http/docs.ts'
import { createRateLimiter } from './platform/http/rate-limit.ts'
import { createRoutes, type Routes } from './platform/http/routes.ts'
import { createServer } from './platform/http/server.ts'
import { type JobHandler, type JobKind, type Jobs, startJobs } from './platform/jobs.ts'
import type { Log } from './platform/log.ts'
import { metricsRoutes } from './platform/metrics.ts'
import { createPhoneNumbers } from './platform/phone-numbers.ts'
import { createSecretBox } from './platform/secrets.ts'
import { createSignals } from './platform/signals.ts'
import { publicPages } from './public-pages.ts'

/** The queues that exist; migrations make them before anybody uses them. */
export const jobKinds: JobKind[] = [cleanUpHttpJob, expireEventsJob, importContactsJob, sweepUploadsJob]

/** Everything that can happen, as callers may hear of it. */
export const eventKinds: EventKind[] = [...contactEvents, ...taskEvents, ...channelEvents]

export interface App {
  server: FastifyInstance
  database: Database
  jobs: Jobs
  routes: Routes
  close(): Promise<void>
}

export interface AppOptions {
  settings: Settings
  /** How to reach the database as its owner. */
  connection: ClientConfig
  log: Log
  /** For tests: check every row against its schema, and react to events with more than the features do. */
  checkRows?: boolean
  subscriptions?: Subscription[]
}

/** The only place where things meet. Read it first. */
export async function createApp({ settings, connection, log, ...options }: AppOptions): Promise<App> {
  const works = settings.ROLE !== 'api'
  const signals = createSignals(connection, (error) =>
    log.warn({ err: error }, 'signals between nodes were interrupted'),
  )
  const startingJobs = startJobs(connection, log, { works })
  const database = createDatabase({
    connection,
    poolSize: settings.DATABASE_POOL_SIZE,
    checkRows: options.checkRows ?? false,
    signal: signals.send,
    jobs: { enqueue: async (...job) => (await startingJobs).enqueue(...job) },
    onError: (error) => log.warn({ err: error }, 'a database connection was lost'),
  })
  const phones = createPhoneNumbers(settings.DEFAULT_COUNTRY)
  const secrets = createSecretBox(secretKey(settings))
  const rateLimiter = createRateLimiter(database)
  const cookies = createCookies(settings.PUBLIC_URL)
  const [jobs, signingKeys] = await Promise.all([
    startingJobs,
    openSigningKeys(database, secrets, settings.PUBLIC_URL ?? 'frontdesk'),
  ])
  const keys = createKeyCredentials(database, signals)
  const people = createPersonCredentials(database, signals, { ours: signingKeys, trusted: trustedIssuer(settings) })
  const { authenticate, identify } = createAuthentication({ keys, people, cookies })

  const server = await createServer({
    log,
    corsOrigins: settings.CORS_ORIGINS,
    trustProxy: settings.TRUST_PROXY,
    allowedHosts: allowedHosts(settings),
    secure: settings.PUBLIC_URL?.startsWith('https:') ?? false,
  })
  metricsRoutes(server, { database, token: settings.METRICS_TOKEN })
  healthRoutes(server, { database, jobs })
  publicPages(server)
  const routes = createRoutes(server, {
    database,
    authenticate,
    rateLimiter,
    defaultRateLimit: { name: 'requests', perMinute: settings.RATE_LIMIT_PER_MINUTE },
  })
  organizationRoutes(routes, { database })
  keyRoutes(routes)
  peopleRoutes(routes, { publicUrl: settings.PUBLIC_URL })
  const attemptsPerMinute = settings.RATE_LIMIT_LOGINS_PER_MINUTE
  signInRoutes(routes, { database, rateLimiter, attemptsPerMinute, signingKeys, cookies, identify })
  publishSigningKeys(server, signingKeys)
  contactRoutes(routes, { database, phones })
  importRoutes(routes, { database, maxImportBytes: settings.MAX_IMPORT_BYTES })
  taskRoutes(routes)
  dashboardRoutes(routes)
  eventRoutes(routes, { kinds: eventKinds })
  channelRoutes(routes, { phones, secrets })
  docsRoutes(server, routes, aboutApi(settings))

  const handlers: JobHandler[] = [
    ...importJobs(database, { phones }),
    ...httpJobs(database),
    ...eventJobs(database, { retentionDays: settings.EVENT_RETENTION_DAYS }),
  ]
  const subscriptions = works ? startSubscriptions(database, signals, log, options.subscriptions ?? []) : undefined
  if (works) await jobs.work(handlers)
  await subscriptions?.ready

  return {
    server,
    database,
    jobs,
    routes,
    async close() {
      // Node closes the connections that are idle now; those whose answer ends later would be kept alive.
      const hangUp = setInterval(() => server.server.closeIdleConnections(), 20)
      await server.close()
      clearInterval(hangUp)
      await Promise.all([jobs.close(), subscriptions?.close()])
      people.close()
      await keys.close()
      await signals.close()
      await database.close()
    },
  }
}

function trustedIssuer({ TRUSTED_ISSUER: issuer, TRUSTED_AUDIENCE: audience, TRUSTED_JWKS_URL: jwksUrl }: Settings) {
  return issuer && audience && jwksUrl ? createTrustedIssuer({ issuer, audience, jwksUrl }) : undefined
}

/** Only names that mean this service are answered, so that a stranger's page cannot reach it under a name of its own. */
function allowedHosts({ HOST, PUBLIC_URL }: Settings): ReadonlySet<string> | undefined {
  if (!PUBLIC_URL && !isLoopback(HOST)) return undefined
  const names = ['localhost', '127.0.0.1', '[::1]', HOST]
  if (PUBLIC_URL) names.push(new URL(PUBLIC_URL).hostname)
  return new Set(names)
}
