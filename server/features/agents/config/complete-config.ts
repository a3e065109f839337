import type { TObject } from 'typebox'
import { ContactFieldMapping, Disposition, SuccessCriterion } from '../results/schema.ts'
import { TransferTarget } from './call-settings.ts'
import type { AgentConfigInput } from './config-input.ts'
import { AgentConfig, defaultModels, type GroupName, groupNames, groups } from './config-schema.ts'
import { MessageTemplate } from './on-call-settings.ts'
import { type Fallbacks, fallbackItems, VoiceSettings } from './provider-settings.ts'
import { McpServer, Tool } from './tool-settings.ts'

type Members = Record<string, unknown>

const defaultsOf = ({ properties }: TObject): Members =>
  Object.fromEntries(
    Object.entries(properties as Record<string, { default?: unknown }>).map(([name, { default: standard }]) => [
      name,
      structuredClone(standard),
    ]),
  )

const eachGroup = (make: (name: GroupName) => unknown) =>
  Object.fromEntries(groupNames.map((name) => [name, make(name)])) as Pick<AgentConfig, GroupName>

/** The defaults of an agent. */
export function standardConfig(): AgentConfig {
  const standard = {
    ...(defaultsOf(AgentConfig) as AgentConfig),
    llm_model: defaultModels.openai,
    voice_settings: null,
    ...eachGroup((name) => defaultsOf(groups[name])),
  }
  return { ...standard, knowledge: { ...standard.knowledge, all: true } }
}

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
  const after = {
    ...(replaced(before, standard as Members, given as Members) as AgentConfig),
    ...eachGroup((name) =>
      given[name] === null ? standard[name] : replaced(before[name], standard[name], given[name] ?? {}),
    ),
  }
  // A request that names documents or collections and leaves `all` out means those.
  const { all, document_ids, collection_ids } = given.knowledge ?? {}
  if ((document_ids?.length || collection_ids?.length) && (all === undefined || all === null))
    after.knowledge = { ...after.knowledge, all: false }
  // A model belongs to its provider.
  if (!given.llm_model && (given.llm_model === null || after.llm_provider !== before.llm_provider))
    after.llm_model = defaultModels[after.llm_provider]
  return {
    ...after,
    voice_settings: after.voice_settings && onlyKnown(VoiceSettings, after.voice_settings),
    tools: after.tools.map((tool) => onlyKnown(Tool, tool)),
    mcp_servers: after.mcp_servers.map((server) => onlyKnown(McpServer, server)),
    fallbacks: Object.fromEntries(
      Object.entries(fallbackItems).map(([name, item]) => [
        name,
        after.fallbacks[name as keyof Fallbacks].map((each) => onlyKnown(item, each)),
      ]),
    ) as Fallbacks,
    call_settings: {
      ...after.call_settings,
      transfer_targets: after.call_settings.transfer_targets.map((target) => onlyKnown(TransferTarget, target)),
      message_templates: after.call_settings.message_templates.map((template) => onlyKnown(MessageTemplate, template)),
    },
    results: {
      ...after.results,
      contact_fields: after.results.contact_fields.map((mapping) => onlyKnown(ContactFieldMapping, mapping)),
      success_criteria: after.results.success_criteria.map((criterion) => onlyKnown(SuccessCriterion, criterion)),
      dispositions: after.results.dispositions.map((disposition) => onlyKnown(Disposition, disposition)),
    },
  }
}
