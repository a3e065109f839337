import type { TObject } from 'typebox'
import {
  AgentConfig,
  type AgentConfigInput,
  CallSettings,
  defaultModels,
  HoursSettings,
  KnowledgeSettings,
  McpServer,
  Tool,
  Transcriber,
  VoiceSettings,
} from './config-schema.ts'

type Members = Record<string, unknown>

const defaultsOf = ({ properties }: TObject): Members =>
  Object.fromEntries(
    Object.entries(properties as Record<string, { default?: unknown }>).map(([name, { default: standard }]) => [
      name,
      structuredClone(standard),
    ]),
  )

/** The defaults of an agent. */
const standardConfig = (): AgentConfig => ({
  ...(defaultsOf(AgentConfig) as AgentConfig),
  llm_model: defaultModels.openai,
  voice_settings: null,
  transcriber: defaultsOf(Transcriber) as AgentConfig['transcriber'],
  call_settings: defaultsOf(CallSettings) as AgentConfig['call_settings'],
  knowledge: { ...(defaultsOf(KnowledgeSettings) as AgentConfig['knowledge']), all: true },
  business_hours: defaultsOf(HoursSettings) as AgentConfig['business_hours'],
})

/** Merges the given members; null resets a member to its default, unknown members are ignored. */
function replaced(present: Members, standard: Members, given: Members): Members {
  const after = { ...present }
  for (const name of Object.keys(standard)) {
    if (given[name] === undefined) continue
    after[name] = given[name] ?? structuredClone(standard[name])
  }
  return after
}

function onlyKnown<T>({ properties }: TObject, given: T): T {
  return Object.fromEntries(Object.entries(given as Members).filter(([name]) => name in properties)) as T
}

/** The resulting configuration: only the given members change, also within its groups of settings. */
export function completeConfig(given: AgentConfigInput = {}, present?: AgentConfig): AgentConfig {
  const standard = standardConfig()
  const before = present ?? standard
  const within = (name: 'transcriber' | 'call_settings' | 'knowledge' | 'business_hours') =>
    given[name] === null ? standard[name] : replaced(before[name], standard[name], given[name] ?? {})
  const after = {
    ...(replaced(before, standard as Members, given as Members) as AgentConfig),
    transcriber: within('transcriber'),
    call_settings: within('call_settings'),
    knowledge: within('knowledge'),
    business_hours: within('business_hours'),
  } as AgentConfig
  // A request that names documents and leaves `all` out means those documents.
  const { all, document_ids: named } = given.knowledge ?? {}
  if (named?.length && (all === undefined || all === null)) after.knowledge = { ...after.knowledge, all: false }
  // A model belongs to its provider.
  if (!given.llm_model && (given.llm_model === null || after.llm_provider !== before.llm_provider))
    after.llm_model = defaultModels[after.llm_provider]
  return {
    ...after,
    voice_settings: after.voice_settings && onlyKnown(VoiceSettings, after.voice_settings),
    tools: after.tools.map((tool) => onlyKnown(Tool, tool)),
    mcp_servers: after.mcp_servers.map((server) => onlyKnown(McpServer, server)),
  }
}
