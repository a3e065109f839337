import type { FastifyInstance } from 'fastify'
import type { ClientConfig } from 'pg'
import { createSimulatorHost } from '../../simulator/host-simulator.ts'
import type { Settings } from '../config.ts'
import type { Conversing } from '../features/agents/answering/turn.ts'
import { createMcpTools } from '../features/agents/tools/mcp-tools.ts'
import { createCarriers } from '../features/calls/carriers/carriers.ts'
import { createMissingHooks } from '../features/channels/hooks/create-missing-hooks.ts'
import { createHookSecretCache } from '../features/hooks/hook-secret-cache.ts'
import { mediaAddress } from '../features/inbox/media/media-address.ts'
import { createPostingsIndex } from '../features/knowledge/postings/postings-index.ts'
import { openVectorIndex } from '../features/knowledge/vectors/open-vector-index.ts'
import { openSigningKeys } from '../features/organizations/credentials/signing-keys.ts'
import { findDefaultCountry } from '../features/organizations/find-default-country.ts'
import { createOwnKeys } from '../features/provider-keys/own-keys.ts'
import { createTails } from '../features/stream/tails.ts'
import { atPooler, connectionTo } from '../platform/connection.ts'
import { createDatabase } from '../platform/create-database.ts'
import { createRateLimiter } from '../platform/http/rate-limit.ts'
import { startJobs } from '../platform/jobs.ts'
import { createLiveHints } from '../platform/live-hints.ts'
import type { Log } from '../platform/log.ts'
import { createMetrics } from '../platform/metrics.ts'
import { createOutboundHttp } from '../platform/outbound-fetch.ts'
import { createPhoneNumbers } from '../platform/phone-numbers.ts'
import { createSignals } from '../platform/signals.ts'
import { observeFallbacks } from '../providers/fallback/observe-fallbacks.ts'
import { withFallbacks } from '../providers/llm/fallback.ts'
import { createLlmObserver } from '../providers/llm/observed.ts'
import { createSpeech } from '../providers/speech/speech.ts'
import { createTwilio } from '../providers/telephony/twilio.ts'
import { twilioHooks } from '../providers/telephony/twilio-hooks.ts'
import { callServices } from './call-services.ts'
import {
  callRates,
  connectionsPerBusyOrganization,
  createEmbeddersFor,
  createFileStore,
  createLlm,
  createMailerFor,
  createSignOnProviderFor,
  installationOf,
  installedProviders,
  realtimeAccount,
  serviceUrl,
  speechAccounts,
} from './from-settings.ts'
import { openChat } from './open-chat.ts'
import { openCredentials } from './open-credentials.ts'
import { openSecrets } from './open-secrets.ts'
import { openTelemetry } from './open-telemetry.ts'

export interface ServiceOptions {
  settings: Settings
  /** How to connect to the database as its owner. */
  connection: ClientConfig
  /** How requests connect, as a role of their own. */
  tenantConnection: ClientConfig
  log: Log
  /** For tests: validate every row against its schema. */
  checkRows: boolean
  /** For tests: the current date. */
  now?: (() => Date) | undefined
  /** Resolves once the server exists; features use it to learn where this node listens. */
  server: () => FastifyInstance
}

export type Services = Awaited<ReturnType<typeof openServices>>

/**
 * Opens the services that features share and the providers. Everything that must be closed is added to the stack as it
 * opens.
 */
export async function openServices(
  { settings, connection, tenantConnection, log, checkRows, now, server }: ServiceOptions,
  stack: AsyncDisposableStack,
) {
  const works = settings.ROLE !== 'api'
  const signals = createSignals(connection, (error) => log.warn({ err: error }, 'signals: connection lost'))
  const metrics = createMetrics()
  const telemetry = await openTelemetry(settings, { metrics, log })
  stack.defer(() => telemetry.close())
  const { tracer } = telemetry
  const startingJobs = startJobs(connection, { log, metrics, tracer, works })
  // They are closed earlier, with the work; this is for a start that fails before the work begins.
  stack.defer(async () => (await startingJobs.catch(() => undefined))?.close())
  const pooler = settings.DATABASE_POOLER_URL
  const database = createDatabase({
    connection: pooler ? atPooler(connection, pooler) : connection,
    tenantConnection: pooler ? atPooler(tenantConnection, pooler) : tenantConnection,
    isPooled: pooler !== undefined,
    replica: settings.REPLICA_DATABASE_URL
      ? { connection: connectionTo(settings.REPLICA_DATABASE_URL), log }
      : undefined,
    poolSize: settings.DATABASE_POOL_SIZE,
    connectionsPerBusyOrganization: connectionsPerBusyOrganization(settings),
    // Webhook processing holds two connections for as long as it runs and needs a third to claim. The campaign sender
    // needs one each to claim, to mark in flight and to renew its lease.
    systemPoolSize: Math.max(6, Math.ceil(settings.DATABASE_POOL_SIZE / 2)),
    checkRows,
    signal: signals.send,
    jobs: {
      enqueue: async (...job) => (await startingJobs).enqueue(...job),
      enqueueAsTenant: async (...job) => (await startingJobs).enqueueAsTenant(...job),
    },
    onError: (error) => log.warn({ err: error }, 'database: connection lost'),
  })
  stack.defer(() => database.close())
  stack.defer(() => signals.close())
  const http = createOutboundHttp({ allow: settings.OUTBOUND_ALLOW, dnsServers: settings.DNS_SERVERS })
  stack.defer(() => http.close())
  const files = createFileStore(settings, http)
  const phones = createPhoneNumbers(settings.DEFAULT_COUNTRY, findDefaultCountry)
  const secrets = await openSecrets(database, settings)
  const ownKeys = createOwnKeys(database, signals, secrets, log)
  stack.defer(() => ownKeys.close())
  const embedders = createEmbeddersFor(settings, http, ownKeys.of)
  stack.defer(() => embedders.close())
  const onFallback = observeFallbacks({ metrics, log })
  const llmObserver = createLlmObserver({ metrics, rates: callRates(settings) })
  const { SPEECH_PROCESSES: processes } = settings
  const accounts = speechAccounts(settings)
  const speech = createSpeech({
    http,
    accounts,
    realtime: realtimeAccount(settings),
    keysOf: ownKeys.of,
    onFallback,
    observe: llmObserver.observed,
    ...(processes && { processes }),
  })
  stack.defer(() => speech.close())
  const { missing } = speech.offline
  if (missing.length > 0)
    log.info({ missing }, 'speech: packages missing, test calls follow a script without recognition')
  const mcpTools = createMcpTools({ http, log })
  stack.defer(() => mcpTools.close())
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
  stack.defer(() => simulator.close())
  const { hooks, chatApi, live, chatConnections } = openChat(
    { settings, database, secrets, simulator, http, log, now },
    stack,
  )
  const vectorIndex = await openVectorIndex(connection, {
    kind: settings.VECTOR_INDEX,
    memoryBytes: settings.VECTOR_MEMORY_BYTES,
  })
  const knowledge = {
    database,
    files,
    embedders,
    vectorIndex,
    postingsIndex: createPostingsIndex({ maxBytes: settings.POSTINGS_MEMORY_BYTES, log }),
    log,
    keywordWeight: settings.KEYWORD_WEIGHT,
    ocrLanguages: settings.OCR,
  }
  const conversing: Conversing = {
    http,
    llm: withFallbacks(llmObserver.observe(createLlm(settings, http, ownKeys.of)), onFallback),
    mcpTools,
    knowledge,
    searchMs: settings.KNOWLEDGE_SEARCH_MS,
    log,
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
  const sessionLimits = { hours: settings.SESSION_HOURS, idleMinutes: settings.SESSION_IDLE_MINUTES }
  const calls = callServices({
    settings,
    database,
    metrics,
    tracer,
    secrets,
    conversing,
    carriers,
    phones,
    files,
    chatConnections,
    speech,
    server,
    log,
    works,
    sessionLimits,
  })
  const [jobs, signingKeys] = await Promise.all([
    startingJobs,
    openSigningKeys(database, secrets, settings.PUBLIC_URL ?? 'frontdesk'),
    createMissingHooks(database, secrets, log),
    chatApi.announce(),
  ])
  const credentials = openCredentials({ settings, database, signals, sessionLimits, signingKeys }, stack)
  const hookSecretCache = createHookSecretCache(database, signals, { secrets, hooks })
  stack.defer(() => hookSecretCache.close())
  const liveHints = createLiveHints(signals)
  stack.defer(() => liveHints.close())
  const tails = createTails(database, signals, log)
  stack.defer(() => tails.close())
  return {
    settings,
    log,
    metrics,
    tracer,
    works,
    database,
    signals,
    jobs,
    http,
    files,
    phones,
    secrets,
    ownKeys,
    providers: installedProviders(settings),
    mailer: createMailerFor(settings),
    signOnProvider: createSignOnProviderFor(settings, http),
    speech,
    simulator,
    hooks,
    live,
    chatConnections,
    mediaAddress: mediaAddress(serviceUrl(settings)),
    knowledge,
    conversing,
    carriers,
    calls,
    installation: async () => ({ ...installationOf(settings), chat_api: await chatApi.describe() }),
    rateLimiter: createRateLimiter(database),
    rateLimit: { name: 'requests', perMinute: settings.RATE_LIMIT_PER_MINUTE },
    sessionLimits,
    signingKeys,
    ...credentials,
    hookSecretCache,
    tails,
    liveHints,
  }
}
