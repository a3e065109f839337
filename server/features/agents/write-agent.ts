import { isDeepStrictEqual } from 'node:util'
import { type TenantTx, TryAgain } from '../../platform/database.ts'
import { AppError, found, invalid, violates } from '../../platform/errors.ts'
import { emit } from '../../platform/events.ts'
import { newId } from '../../platform/ids.ts'
import { isTimeZone } from '../../platform/instants.ts'
import { differences } from '../../platform/record-events.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import { unknownCollections } from '../knowledge/collections/find-collections.ts'
import { unknownDocuments } from '../knowledge/find-documents.ts'
import { type Checking, checkConfig } from './config/check-config.ts'
import { completeConfig } from './config/complete-config.ts'
import type { AgentConfig } from './config/config-schema.ts'
import { openHeaders, sealHeaders, unmaskHeaders } from './config/headers.ts'
import { agentCreated, agentUpdated } from './events.ts'
import { insertAgent, keepVersion, lockAgent, type StoredAgent, updateAgentRow } from './queries.ts'
import type { Agent, AgentChanges, NewAgent } from './schema.ts'

export interface Writing extends Checking {
  secrets: SecretBox
}

/** An agent with its headers in clear, for comparing and sealing. */
type PlainAgent = Pick<Agent, 'name' | 'agent_type' | 'is_active' | 'timezone' | 'agent_config'>

export async function createAgent(tx: TenantTx, input: NewAgent, deps: Writing): Promise<Agent> {
  const config = await checkConfig(tx, unmaskHeaders(completeConfig(input.agent_config), undefined), deps)
  await requireKnowledge(tx, config.knowledge)
  return addAgent(tx, { ...plain(input), agent_config: config }, deps)
}

type Knowledge = AgentConfig['knowledge']

/** Checks only what the request adds: documents and collections chosen earlier may have been deleted since. */
async function requireKnowledge(tx: TenantTx, wanted: Knowledge, before?: Knowledge): Promise<void> {
  const added = (name: 'document_ids' | 'collection_ids') => wanted[name].filter((id) => !before?.[name].includes(id))
  for (const [noun, unknown] of [
    ['document', await unknownDocuments(tx, added('document_ids'))],
    ['collection', await unknownCollections(tx, added('collection_ids'))],
  ] as const)
    if (unknown.length > 0)
      throw new AppError(404, `agent_config.knowledge names no such ${noun}: ${unknown.join(', ')}`)
}

const plain = ({ name, agent_type, is_active, timezone = null }: NewAgent) => ({
  name: name.trim(),
  agent_type,
  is_active,
  timezone: knownTimezone(timezone),
})

export async function addAgent(
  tx: TenantTx,
  agent: PlainAgent,
  { secrets }: Writing,
  promotedFrom: string | null = null,
): Promise<Agent> {
  const id = newId()
  const sealed = sealHeaders(secrets, tx.scope, id, agent.agent_config)
  const created = await insertAgent(tx, { ...agent, id, ...sealed }, promotedFrom).catch(refuseMissingHours)
  if (!created) throw new TryAgain(new Error('the agent was promoted by somebody else meanwhile'))
  await Promise.all([keepVersion(tx, id), emit(tx, agentCreated, created)])
  return created
}

/** Changes the given members, also within the configuration. Equal values change nothing, not even the version. */
export async function updateAgent(tx: TenantTx, id: string, changes: AgentChanges, deps: Writing): Promise<Agent> {
  const stored = found(await lockAgent(tx, id), 'Agent')
  const present = openHeaders(deps.secrets, tx.scope, stored)
  const wanted = await wantedAgent(tx, stored, present, changes, deps)
  await requireKnowledge(tx, wanted.agent_config.knowledge, present.knowledge)
  return changeAgent(tx, stored, wanted, deps)
}

async function wantedAgent(
  tx: TenantTx,
  stored: StoredAgent,
  present: AgentConfig,
  changes: AgentChanges,
  deps: Writing,
): Promise<PlainAgent> {
  const { name, agent_type, is_active, timezone, agent_config: given } = changes
  // Masked values sent back keep the stored ones.
  const config = given === undefined ? present : unmaskHeaders(completeConfig(given, present), present)
  return {
    name: name === undefined ? stored.name : name.trim(),
    agent_type: agent_type ?? stored.agent_type,
    is_active: is_active ?? stored.is_active,
    timezone: timezone === undefined ? stored.timezone : knownTimezone(timezone),
    agent_config: given === undefined ? config : await checkConfig(tx, config, deps),
  }
}

/** Writes the new state as a new version. */
export async function changeAgent(
  tx: TenantTx,
  stored: StoredAgent,
  wanted: PlainAgent,
  { secrets }: Writing,
): Promise<Agent> {
  const { sealed_headers: _, ...before } = stored
  const present = openHeaders(secrets, tx.scope, stored)
  if (isDeepStrictEqual({ ...before, agent_config: present }, { ...before, ...wanted })) return before
  const sealed = sealHeaders(secrets, tx.scope, stored.id, wanted.agent_config)
  const after = await updateAgentRow(tx, { ...wanted, id: stored.id, ...sealed }).catch(refuseMissingHours)
  await Promise.all([keepVersion(tx, stored.id), emit(tx, agentUpdated, after, differences(before, after))])
  return after
}

function refuseMissingHours(error: unknown): never {
  throw violates(error, 'agents_schedule_exists')
    ? new AppError(404, 'agent_config.business_hours names no such schedule')
    : error
}

function knownTimezone(name: string | null): string | null {
  if (name === null || isTimeZone(name)) return name
  throw invalid(['body', 'timezone'], 'Not a time zone: use an IANA name such as Europe/Berlin')
}
