import type { FastifyInstance } from 'fastify'
import type { ClientConfig } from 'pg'
import { isLoopback, type Settings, secretKey } from './config.ts'
import { contactRoutes } from './features/contacts/routes.ts'
import { createAuthenticate } from './features/organizations/authenticate.ts'
import { createKeyCredentials } from './features/organizations/key-credentials.ts'
import { createDatabase, type Database } from './platform/database.ts'
import { type Subscription, startSubscriptions } from './platform/events.ts'
import { createRateLimiter } from './platform/http/rate-limit.ts'
import { createRoutes, type Routes } from './platform/http/routes.ts'
import { createServer } from './platform/http/server.ts'
import { type JobHandler, type JobKind, type Jobs, startJobs } from './platform/jobs.ts'
import type { Log } from './platform/log.ts'
import { createPhoneNumbers } from './platform/phone-numbers.ts'
import { createSecretBox } from './platform/secrets.ts'
import { createSignals } from './platform/signals.ts'

/** The queues that exist; migrations make them before anybody uses them. */
export const jobKinds: JobKind[] = []

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
  const jobs = await startJobs(connection, log, { works })
  const database = createDatabase({
    connection,
    poolSize: settings.DATABASE_POOL_SIZE,
    checkRows: options.checkRows ?? false,
    signal: signals.send,
    jobs,
    onError: (error) => log.warn({ err: error }, 'a database connection was lost'),
  })
  const phones = createPhoneNumbers(settings.DEFAULT_COUNTRY)
  const secrets = createSecretBox(secretKey(settings))
  const rateLimiter = createRateLimiter(database)
  const keys = createKeyCredentials(database, signals)

  const server = await createServer({
    log,
    corsOrigins: settings.CORS_ORIGINS,
    trustProxy: settings.TRUST_PROXY,
    allowedHosts: allowedHosts(settings),
    secure: settings.PUBLIC_URL?.startsWith('https:') ?? false,
  })
  const routes = createRoutes(server, {
    database,
    authenticate: createAuthenticate({ keys }),
    rateLimiter,
    defaultRateLimit: { name: 'requests', perMinute: settings.RATE_LIMIT_PER_MINUTE },
  })
  contactRoutes(routes, { phones })

  const handlers: JobHandler[] = []
  const subscriptions = works ? startSubscriptions(database, signals, log, options.subscriptions ?? []) : undefined
  if (works) await jobs.work(handlers)
  await subscriptions?.ready

  return {
    server,
    database,
    jobs,
    routes,
    async close() {
      await server.close()
      await Promise.all([jobs.close(), subscriptions?.close()])
      await keys.close()
      await signals.close()
      await database.close()
    },
  }
}

/** Only names that mean this service are answered, so that a stranger's page cannot reach it under a name of its own. */
function allowedHosts({ HOST, PUBLIC_URL }: Settings): ReadonlySet<string> | undefined {
  if (!PUBLIC_URL && !isLoopback(HOST)) return undefined
  const names = ['localhost', '127.0.0.1', '[::1]', HOST]
  if (PUBLIC_URL) names.push(new URL(PUBLIC_URL).hostname)
  return new Set(names)
}
