import type { SimulatorHost } from '../../simulator/host-simulator.ts'
import type { Settings } from '../config.ts'
import { createChatConnections } from '../features/channels/connections/create-chat-connections.ts'
import type { ChatHookSettings } from '../features/channels/hooks/chat-hook.ts'
import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import type { OutboundHttp } from '../platform/outbound-fetch.ts'
import type { SecretBox } from '../platform/secrets.ts'
import { createGraphApi, type GraphApi } from '../providers/chat/graph-api.ts'
import { createChatApiVersion } from './chat-api-version.ts'
import { installationApp } from './from-settings.ts'

interface ChatOptions {
  settings: Settings
  database: Database
  secrets: SecretBox
  simulator: SimulatorHost
  http: OutboundHttp
  log: Log
  now: (() => Date) | undefined
}

/** The connections of chat channels, to the platform and to the simulator. */
export function openChat(
  { settings, database, secrets, simulator, http, log, now }: ChatOptions,
  stack: AsyncDisposableStack,
) {
  // The simulator's address is known later than the rest, so this list still grows after the app has started.
  const graphApis: GraphApi[] = []
  stack.defer(() => {
    for (const api of graphApis) api.close()
  })
  const graphApiAt = (baseUrl: string, onServed?: (version: string) => void): GraphApi => {
    const version = settings.GRAPH_API_VERSION
    const api = createGraphApi({ baseUrl, version, http, log, ...(onServed && { onServed }) })
    graphApis.push(api)
    return api
  }
  const hooks: ChatHookSettings = { publicUrl: settings.PUBLIC_URL, installationApp: installationApp(settings) }
  const chatApi = createChatApiVersion({ database, asked: settings.GRAPH_API_VERSION, log, now })
  const live = graphApiAt(settings.GRAPH_API_BASE_URL, chatApi.note)
  const chatConnections = createChatConnections({
    database,
    secrets,
    live,
    connectorTo: (baseUrl) => graphApiAt(baseUrl),
    simulator,
  })
  return { hooks, chatApi, live, chatConnections }
}
