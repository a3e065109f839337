import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Settings } from '../config.ts'
import { converse, warmUp } from '../features/agents/answering/converse.ts'
import type { Conversing } from '../features/agents/answering/turn.ts'
import { openAgent } from '../features/agents/open-agent.ts'
import { assessConversation } from '../features/agents/results/assess-conversation.ts'
import { summarize } from '../features/agents/texts/summarize.ts'
import type { Carriers } from '../features/calls/carriers/carriers.ts'
import { runConversation } from '../features/calls/conversation/run-conversation.ts'
import type { ChatConnections } from '../features/channels/connections/chat-connections.ts'
import { mediaAddress } from '../features/inbox/media/media-address.ts'
import { createFindAccess } from '../features/organizations/credentials/find-access.ts'
import type { SessionLimits } from '../features/organizations/sessions/session-limits.ts'
import type { Database, TenantSql } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { PhoneNumbers } from '../platform/phone-numbers.ts'
import type { SecretBox } from '../platform/secrets.ts'
import type { Tracer } from '../platform/tracing/trace.ts'
import type { FileStore } from '../providers/files/contract.ts'
import type { Speech } from '../providers/speech/speech.ts'
import { allowedHosts, callRates, listeningAddress, serviceUrl } from './from-settings.ts'

interface CallServicesOptions {
  settings: Settings
  database: Database
  metrics: Metrics
  tracer: Tracer
  secrets: SecretBox
  conversing: Conversing
  carriers: Carriers
  phones: PhoneNumbers
  files: FileStore
  chatConnections: ChatConnections
  speech: Speech
  server: () => FastifyInstance
  log: Log
  works: boolean
  sessionLimits: SessionLimits
}

/** What calls need of the services. */
export function callServices({
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
}: CallServicesOptions) {
  return {
    database,
    findAccess: createFindAccess(database, sessionLimits),
    metrics,
    tracer,
    secrets,
    agents: {
      async open(sql: TenantSql, id: string) {
        const agent = await openAgent(sql, secrets, id)
        if (agent) warmUp(conversing, sql.scope, agent)
        return agent
      },
      converse: (turn: Parameters<typeof converse>[1]) => converse(conversing, turn),
      summarize: (conversation: Parameters<typeof summarize>[1]) => summarize(conversing, conversation),
      assess: (conversation: Parameters<typeof assessConversation>[1]) => assessConversation(conversing, conversation),
    },
    carriers,
    phones,
    files,
    sending: { database, chatConnections, files, phones, mediaAddress: mediaAddress(serviceUrl(settings)) },
    speech,
    addresses: {
      publicUrl: settings.PUBLIC_URL,
      own: () => (server().server.listening ? listeningAddress(server()) : serviceUrl(settings)),
    },
    runConversation,
    log,
    rates: callRates(settings),
    callsPerOrganization: settings.CALLS_PER_ORGANIZATION,
    admission: { isOpen: true },
    drainSeconds: settings.CALL_DRAIN_SECONDS,
    recordingsFolder: join(settings.DATA_DIR, 'recordings'),
    recordingRetentionDays: settings.RECORDING_RETENTION_DAYS,
    allowedHosts: allowedHosts(settings),
    corsOrigins: settings.CORS_ORIGINS,
    trustProxy: settings.TRUST_PROXY,
    works,
  }
}
