import type { TenantScope } from '../../../platform/database.ts'
import { type Fault, InvalidInput } from '../../../platform/errors.ts'
import { sealedColumn } from '../../../platform/reseal.ts'
import type { SecretBox } from '../../../platform/secrets.ts'
import type { AgentConfig } from './config-schema.ts'

/** Header values: masked in answers, encrypted at rest, in clear only while an agent runs. */

const lists = ['tools', 'mcp_servers'] as const
type Headers = Record<string, string>
/** From the name of a tool or server to its headers. */
type Hidden = Record<(typeof lists)[number], Record<string, Headers>>

const veil = '••••'

/** Enough to tell two keys apart, too little to use one. */
const mask = (value: string): string => (value.length >= 12 ? veil + value.slice(-4) : veil + veil)

const mapValues = (headers: Headers, change: (value: string, name: string) => string): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, change(value, name)]))

type Entry = { name: string; url: string; headers: Headers }

function mapEntries(config: AgentConfig, change: (entry: Entry, list: keyof Hidden, index: number) => Headers) {
  const changed = <E extends Entry>(list: keyof Hidden, entries: E[]) =>
    entries.map((entry, index) => ({ ...entry, headers: change(entry, list, index) }))
  return { ...config, tools: changed('tools', config.tools), mcp_servers: changed('mcp_servers', config.mcp_servers) }
}

/** Bound to its agent: sealed headers copied to another agent do not open there. */
const contextOf = ({ organizationId, livemode }: TenantScope, agentId: string) =>
  `agent ${organizationId} ${livemode ? 'live' : 'test'} ${agentId} headers`

const tenantKey = { organization_id: 'uuid', livemode: 'boolean' } as const

export const sealedAgentColumns = [
  sealedColumn({
    table: 'agents',
    column: 'sealed_headers',
    key: { ...tenantKey, id: 'uuid' },
    context: ({ organization_id, livemode, id }) => contextOf({ organizationId: organization_id, livemode }, id),
  }),
  sealedColumn({
    table: 'agent_versions',
    column: 'sealed_headers',
    key: { ...tenantKey, agent_id: 'uuid', version: 'integer' },
    context: ({ organization_id, livemode, agent_id }) =>
      contextOf({ organizationId: organization_id, livemode }, agent_id),
  }),
]

export function sealHeaders(box: SecretBox, scope: TenantScope, agentId: string, config: AgentConfig) {
  const hidden: Hidden = { tools: {}, mcp_servers: {} }
  const shown = mapEntries(config, ({ name, headers }, list) => {
    if (Object.keys(headers).length > 0) hidden[list][name] = headers
    return mapValues(headers, mask)
  })
  const isEmpty = lists.every((list) => Object.keys(hidden[list]).length === 0)
  const sealed_headers = isEmpty ? null : box.seal(JSON.stringify(hidden), contextOf(scope, agentId))
  return { agent_config: shown, sealed_headers }
}

interface SealedAgent {
  id: string
  agent_config: AgentConfig
  sealed_headers: Buffer | null
}

/** The configuration with its headers in clear. */
export function openHeaders(box: SecretBox, scope: TenantScope, agent: SealedAgent): AgentConfig {
  if (!agent.sealed_headers) return agent.agent_config
  const hidden: Hidden = JSON.parse(box.open(agent.sealed_headers, contextOf(scope, agent.id)))
  return mapEntries(agent.agent_config, ({ name, headers }, list) =>
    mapValues(headers, (_, header) => hidden[list][name]?.[header] ?? ''),
  )
}

/**
 * Restores the stored values where a masked one was sent back. Only for the same server: otherwise a user who may
 * change an agent without knowing its secrets could have them sent elsewhere.
 */
export function unmaskHeaders(wanted: AgentConfig, present: AgentConfig | undefined): AgentConfig {
  const faults: Fault[] = []
  const unmasked = mapEntries(wanted, ({ name, url, headers }, list, index) => {
    const before = present?.[list].find((entry) => entry.name === name)
    return mapValues(headers, (value, header) => {
      if (!value.startsWith(veil)) return value
      const kept = before && sameHeader(before.headers, header)
      const isKept = kept !== undefined && mask(kept) === value && originOf(before?.url) === originOf(url)
      if (isKept) return kept
      const loc = ['body', 'agent_config', list, String(index), 'headers', header]
      faults.push({
        loc,
        msg: 'A masked value keeps the stored one, and none is stored for this header and server: send the value itself',
        type: 'value_error',
      })
      return value
    })
  })
  if (faults.length > 0) throw new InvalidInput(faults)
  return unmasked
}

function sameHeader(headers: Headers, wanted: string): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === wanted.toLowerCase())?.[1]
}

const originOf = (url = '') => (URL.canParse(url) ? new URL(url).origin : '')
