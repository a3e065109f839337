import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { ClientConfig } from 'pg'
import type { Settings } from './config.ts'
import { consolePages } from './console-pages.ts'
import { aboutApi } from './docs/about.ts'
import { type Conversing, converse, warmUp } from './features/agents/converse.ts'
import { openAgent } from './features/agents/open-agent.ts'
import { agentRoutes } from './features/agents/routes.ts'
import { summarize } from './features/agents/summarize.ts'
import { createMcpTools } from './features/agents/tools/mcp-tools.ts'
import { callGauge } from './features/calls/call-gauge.ts'
import { callLogRoutes } from './features/calls/call-log-routes.ts'
import { createCarriers } from './features/calls/carriers.ts'
import { runConversation } from './features/calls/conversation/run-conversation.ts'
import { voiceHookRoutes } from './features/calls/hooks/routes.ts'
import { callRoutes } from './features/calls/routes.ts'
import { startCalls } from './features/calls/start-calls.ts'
import { campaignRoutes } from './features/campaigns/routes.ts'
import type { ChatHookSettings } from './features/channels/chat-hook.ts'
import { createChatLines } from './features/channels/create-chat-lines.ts'
import { giveMissingHooks } from './features/channels/give-missing-hooks.ts'
import { channelRoutes } from './features/channels/routes.ts'
import { importRoutes } from './features/contacts/imports/routes.ts'
import { contactRoutes } from './features/contacts/routes.ts'
import { dashboardRoutes } from './features/dashboard/routes.ts'
import { eventRoutes } from './features/events/routes.ts'
import { createHookBook } from './features/hooks/hook-book.ts'
import { hookGauge } from './features/hooks/hook-gauge.ts'
import { hookRoutes } from './features/hooks/routes.ts'
import { createHookStore } from './features/hooks/store-hooks.ts'
import { mediaAddress } from './features/inbox/media-address.ts'
import { inboxRoutes } from './features/inbox/routes.ts'
import { knowledgeRoutes } from './features/knowledge/routes.ts'
import { openVectorIndex } from './features/knowledge/vectors/open-vector-index.ts'
import { mcpRoutes } from './features/mcp/routes.ts'
import { createToolbox } from './features/mcp/toolbox.ts'
import { createTools } from './features/mcp/tools.ts'
import { createAuthentication } from './features/organizations/credentials/authenticate.ts'
import { createKeyCredentials } from './features/organizations/credentials/key-credentials.ts'
import { createPersonCredentials } from './features/organizations/credentials/person-credentials.ts'
import { openSigningKeys } from './features/organizations/credentials/signing-keys.ts'
import { keyRoutes } from './features/organizations/keys/routes.ts'
import { peopleRoutes } from './features/organizations/members/routes.ts'
import { organizationRoutes } from './features/organizations/routes.ts'
import { createCookies } from './features/organizations/sign-in/cookies.ts'
import { publishSigningKeys, signInRoutes } from './features/organizations/sign-in/routes.ts'
import { simulatorRoutes } from './features/simulator/routes.ts'
import { streamRoutes } from './features/stream/routes.ts'
import { createTails } from './features/stream/tails.ts'
import { taskRoutes } from './features/tasks/routes.ts'
import { templateRoutes } from './features/templates/routes.ts'
import { deliveryGauge } from './features/webhooks/delivery-gauge.ts'
import { webhookRoutes } from './features/webhooks/routes.ts'
import {
  allowedHosts,
  callRates,
  createEmbeddersFor,
  createFileStore,
  createLlm,
  installationApp,
  installationOf,
  listeningAddress,
  serviceUrl,
  speechOptions,
  trustedIssuer,
} from './from-settings.ts'
import { eventKinds } from './kinds.ts'
import { openSecrets } from './open-secrets.ts'
import { createDatabase, type Database, type TenantSql } from './platform/database.ts'
import type { Subscription } from './platform/events.ts'
import { healthRoutes } from './platform/health.ts'
import { docsRoutes } from './platform/http/docs.ts'
import { createRateLimiter } from './platform/http/rate-limit.ts'
import { createRoutes, type Routes } from './platform/http/routes.ts'
import { createServer } from './platform/http/server.ts'
import { type Jobs, startJobs } from './platform/jobs.ts'
import type { Log } from './platform/log.ts'
import { metricsRoutes } from './platform/metrics.ts'
import { createOutboundHttp } from './platform/outbound-fetch.ts'
import { createPhoneNumbers } from './platform/phone-numbers.ts'
import { createSignals } from './platform/signals.ts'
import { createGraphApi, type GraphApi } from './providers/chat/graph-api.ts'
import { createSpeech } from './providers/speech/speech.ts'
import { createTwilio } from './providers/telephony/twilio.ts'
import { twilioHooks } from './providers/telephony/twilio-hooks.ts'
import { createSimulatorHost, type SimulatorHost } from './simulator/host-simulator.ts'
import { startWork } from './start-work.ts'

export interface App {
  server: FastifyInstance
  database: Database
  jobs: Jobs
  routes: Routes
  /** What test mode takes for the chat platform. */
  simulator: SimulatorHost
  close(): Promise<void>
}

export interface AppOptions {
  settings: Settings
  /** How to reach the database as its owner. */
  connection: ClientConfig
  /** How requests reach it, as a role of their own. */
  tenantConnection: ClientConfig
  log: Log
  /** For tests: check every row against its schema, and react to events with more than the features do. */
  checkRows?: boolean
  subscriptions?: Subscription[]
}

/** Of the ten seconds that supervisors grant, what is left has to do for jobs and the database. */
const patienceAtTheEndMs = 4_000

/** The only place where things meet. Read it first. */
export async function createApp({ settings, connection, tenantConnection, log, ...options }: AppOptions): Promise<App> {
  const works = settings.ROLE !== 'api'
  const signals = createSignals(connection, (error) =>
    log.warn({ err: error }, 'signals between nodes were interrupted'),
  )
  const startingJobs = startJobs(connection, log, { works })
  const database = createDatabase({
    connection,
    tenantConnection,
    poolSize: settings.DATABASE_POOL_SIZE,
    checkRows: options.checkRows ?? false,
    signal: signals.send,
    jobs: {
      enqueue: async (...job) => (await startingJobs).enqueue(...job),
      enqueueAsTenant: async (...job) => (await startingJobs).enqueueAsTenant(...job),
    },
    onError: (error) => log.warn({ err: error }, 'a database connection was lost'),
  })
  const http = createOutboundHttp({ allow: settings.OUTBOUND_ALLOW })
  const files = createFileStore(settings, http)
  const graphApis: GraphApi[] = []
  const graphApiAt = (baseUrl: string): GraphApi => {
    const api = createGraphApi({ baseUrl, version: settings.GRAPH_API_VERSION, http, log })
    graphApis.push(api)
    return api
  }
  const phones = createPhoneNumbers(settings.DEFAULT_COUNTRY)
  const secrets = await openSecrets(database, settings)
  const hooks: ChatHookSettings = { publicUrl: settings.PUBLIC_URL, installationApp: installationApp(settings) }
  const speech = createSpeech(speechOptions(settings, http))
  if (speech.offline.missing.length > 0)
    log.info(
      { missing: speech.offline.missing },
      'speech packages are missing: test calls are scripted, not recognised',
    )
  const simulator = createSimulatorHost({
    database,
    speech: () => speech.offline,
    secrets,
    http,
    log,
    speed: settings.SIMULATOR_SPEED,
    externalUrl: settings.SIMULATOR_URL,
    publicUrl: settings.PUBLIC_URL,
  })
  const lines = createChatLines({
    database,
    secrets,
    live: graphApiAt(settings.GRAPH_API_BASE_URL),
    connectorTo: graphApiAt,
    simulator,
  })
  const inbox = { database, lines, files, phones, mediaAddress: mediaAddress(serviceUrl(settings)) }
  const embedders = createEmbeddersFor(settings, http)
  const vectorIndex = await openVectorIndex(connection, {
    kind: settings.VECTOR_INDEX,
    memoryBytes: settings.VECTOR_MEMORY_BYTES,
  })
  const knowledge = { database, files, embedders, vectorIndex, log, keywordWeight: settings.KEYWORD_WEIGHT }
  const mcpTools = createMcpTools({ http, log })
  const conversing: Conversing = { http, llm: createLlm(settings, http), mcpTools, knowledge, log }
  const agents = {
    async open(sql: TenantSql, id: string) {
      const agent = await openAgent(sql, secrets, id)
      if (agent) warmUp(conversing, sql.scope, agent)
      return agent
    },
    converse: (turn: Parameters<typeof converse>[1]) => converse(conversing, turn),
    summarize: (conversation: Parameters<typeof summarize>[1]) => summarize(conversing, conversation),
  }
  const twilioAt = (baseUrl: string) => createTwilio({ baseUrl, http })
  const carriers = createCarriers({
    secrets,
    hooks: twilioHooks,
    live: twilioAt(settings.TELEPHONY_BASE_URL),
    connectorTo: twilioAt,
    simulator,
    publicUrl: settings.PUBLIC_URL,
  })
  const addresses = {
    publicUrl: settings.PUBLIC_URL,
    own: () => (server.server.listening ? listeningAddress(server) : serviceUrl(settings)),
  }
  const calls = {
    database,
    agents,
    carriers,
    phones,
    files,
    speech,
    addresses,
    runConversation,
    log,
    rates: callRates(settings),
    callsPerOrganization: settings.CALLS_PER_ORGANIZATION,
    recordingsFolder: join(settings.DATA_DIR, 'recordings'),
    recordingRetentionDays: settings.RECORDING_RETENTION_DAYS,
    allowedHosts: allowedHosts(settings),
    corsOrigins: settings.CORS_ORIGINS,
    works,
  }
  const rateLimiter = createRateLimiter(database)
  const cookies = createCookies(settings.PUBLIC_URL)
  const [jobs, signingKeys] = await Promise.all([
    startingJobs,
    openSigningKeys(database, secrets, settings.PUBLIC_URL ?? 'frontdesk'),
    giveMissingHooks(database, secrets, log),
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
  metricsRoutes(server, {
    database,
    token: settings.METRICS_TOKEN,
    gauges: [hookGauge(database), deliveryGauge(database), callGauge(database)],
  })
  healthRoutes(server, { database, jobs })
  consolePages(server)
  const rateLimit = { name: 'requests', perMinute: settings.RATE_LIMIT_PER_MINUTE }
  const routes = createRoutes(server, { database, authenticate, rateLimiter, defaultRateLimit: rateLimit })
  organizationRoutes(routes, { database, installation: installationOf(settings) })
  keyRoutes(routes)
  peopleRoutes(routes, { publicUrl: settings.PUBLIC_URL })
  const attemptsPerMinute = settings.RATE_LIMIT_LOGINS_PER_MINUTE
  signInRoutes(routes, { database, rateLimiter, attemptsPerMinute, pause: sleep, signingKeys, cookies, identify })
  publishSigningKeys(server, signingKeys)
  contactRoutes(routes, { database, phones })
  importRoutes(routes, { database, maxImportBytes: settings.MAX_IMPORT_BYTES })
  taskRoutes(routes)
  dashboardRoutes(routes)
  eventRoutes(routes, { kinds: eventKinds })
  const tails = createTails(database, signals, log)
  const heartbeatMs = settings.STREAM_HEARTBEAT_SECONDS * 1000
  const streams = streamRoutes(routes, { database, authenticate, kinds: eventKinds, tails, heartbeatMs })
  server.addHook('preClose', async () => streams.close())
  channelRoutes(routes, { phones, secrets, hooks })
  inboxRoutes(routes, { ...inbox, outbound: http })
  templateRoutes(routes, { database, lines })
  campaignRoutes(routes, { database, lines, createsPerMinute: settings.RATE_LIMIT_CAMPAIGNS_PER_MINUTE })
  knowledgeRoutes(routes, {
    ...knowledge,
    maxUploadBytes: settings.MAX_UPLOAD_BYTES,
    uploadsPerMinute: settings.RATE_LIMIT_UPLOADS_PER_MINUTE,
  })
  webhookRoutes(routes, { http, secrets, eventTypes: eventKinds.map(({ type }) => type) })
  agentRoutes(routes, { ...conversing, database, secrets, phones, outbound: http, voices: speech.offered() })
  callRoutes(routes, calls)
  callLogRoutes(routes, calls)
  voiceHookRoutes(server, calls)
  const hookBook = createHookBook(database, signals, { secrets, hooks })
  hookRoutes(server, { book: hookBook, store: createHookStore(database, signals) })
  simulatorRoutes(routes, { database, lines, carriers, phones, simulator })
  const about = aboutApi(settings)
  mcpRoutes(server, {
    toolbox: createToolbox(createTools({ lines, knowledge }), { database, log }),
    authenticate,
    rateLimiter,
    rateLimit,
    origins: [...settings.CORS_ORIGINS, ...(settings.PUBLIC_URL ? [new URL(settings.PUBLIC_URL).origin] : [])],
    version: about.version,
  })
  docsRoutes(server, routes, about)
  server.addHook('onListen', () => simulator.announce(listeningAddress(server)))

  const work = works
    ? await startWork(
        {
          settings,
          jobs,
          signals,
          log,
          database,
          phones,
          files,
          secrets,
          hooks,
          lines,
          inbox,
          knowledge,
          conversing,
          calls,
        },
        options.subscriptions ?? [],
      )
    : undefined
  const runningCalls = startCalls(server.server, calls, signals)
  simulator.resume().catch((error) => log.warn({ err: error }, 'the simulator could not go on where it had stopped'))

  return {
    server,
    database,
    jobs,
    routes,
    simulator,
    async close() {
      // Node closes the connections that are idle now; those whose answer ends later would be kept alive.
      const hangUp = setInterval(() => server.server.closeIdleConnections(), 20)
      // Whoever still waits for somebody else by then hears that nobody answered, while it can be written down.
      const giveUp = setTimeout(() => void http.close(), patienceAtTheEndMs)
      await runningCalls.hangUp()
      await server.close()
      clearInterval(hangUp)
      clearTimeout(giveUp)
      await Promise.all([jobs.close(), work?.close(), runningCalls.close()])
      await tails.close()
      hookBook.close()
      people.close()
      await keys.close()
      for (const api of graphApis) api.close()
      await simulator.close()
      await mcpTools.close()
      await speech.close()
      await embedders.close()
      await http.close()
      await signals.close()
      await database.close()
    },
  }
}
