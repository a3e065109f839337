import Type, { type Static } from 'typebox'
import type { SystemSql, TenantSql, TenantTx } from '../../platform/database.ts'
import { readCursorPage } from '../../platform/http/pagination.ts'
import { joinSql, sql } from '../../platform/sql.ts'
import { standardConfig } from './config/complete-config.ts'
import { Agent, type AgentFilter } from './schema.ts'
import { namedLike } from './search-pattern.ts'

/** The defaults of settings fill what is missing in agents that were written before these settings existed. */
const { business_hours, fallbacks, phrases, turn_taking, memory, results, call_settings } = standardConfig()
const config = sql`(${JSON.stringify({ business_hours, fallbacks, phrases, turn_taking, memory, results })}::jsonb || config
  || jsonb_build_object('call_settings', ${JSON.stringify(call_settings)}::jsonb || (config -> 'call_settings')))`

const columns = sql`id, name, organization_id, timezone, agent_type, is_active, ${config} as agent_config, version, livemode,
  created_at, updated_at`

const bytes = Type.Unsafe<Buffer | null>({})

/** With its encrypted headers. Never part of an answer. */
export const StoredAgent = Type.Object({ ...Agent.properties, sealed_headers: bytes })
export type StoredAgent = Static<typeof StoredAgent>

export const findAgentRow = (tx: TenantSql, id: string) =>
  tx.maybe(Agent)`select ${columns} from agents where id = ${id}`

export const findStoredAgent = (tx: TenantSql, id: string) =>
  tx.maybe(StoredAgent)`select ${columns}, sealed_headers from agents where id = ${id}`

export const lockAgent = (tx: TenantTx, id: string) =>
  tx.maybe(StoredAgent)`select ${columns}, sealed_headers from agents where id = ${id} for update`

export const lockPromoted = (tx: TenantTx, sourceId: string) =>
  tx.maybe(StoredAgent)`select ${columns}, sealed_headers from agents where promoted_from = ${sourceId} for update`

/** A page and its total, newest first. Totals come from counters unless a name is searched. */
export function listAgents(tx: TenantSql, filter: AgentFilter) {
  const { agent_type, is_active, search } = filter
  const counted = [
    ...(agent_type === undefined ? [] : [sql`agent_type = ${agent_type}`]),
    ...(is_active === undefined ? [] : [sql`is_active = ${is_active}`]),
  ]
  const named = namedLike(search)
  const where = joinSql([...counted, ...named], ' and ', sql`true`)
  const total = sql`select coalesce(sum(n), 0)::bigint as total_count from agent_counts where ${where}`
  return readCursorPage<Agent>(tx, { columns, from: sql`agents`, where, ...(named.length === 0 && { total }) }, filter)
}

type AgentRowToWrite = Pick<
  StoredAgent,
  'id' | 'name' | 'timezone' | 'agent_type' | 'is_active' | 'agent_config' | 'sealed_headers'
>

export const insertAgent = (tx: TenantTx, agent: AgentRowToWrite, promotedFrom: string | null) =>
  tx.maybe(Agent)`
    insert into agents (id, name, agent_type, is_active, timezone, config, sealed_headers, promoted_from)
    values (${agent.id}, ${agent.name}, ${agent.agent_type}, ${agent.is_active}, ${agent.timezone},
      ${agent.agent_config}, ${agent.sealed_headers}, ${promotedFrom})
    on conflict do nothing
    returning ${columns}`

export const updateAgentRow = (tx: TenantTx, agent: AgentRowToWrite) =>
  tx.one(Agent)`
    update agents set name = ${agent.name}, agent_type = ${agent.agent_type}, is_active = ${agent.is_active},
      timezone = ${agent.timezone}, config = ${agent.agent_config}, sealed_headers = ${agent.sealed_headers},
      version = version + 1, updated_at = now()
    where id = ${agent.id}
    returning ${columns}`

/** The current state, under its version number. */
export const keepVersion = (tx: TenantTx, id: string) =>
  tx.run`
    insert into agent_versions
      (agent_id, version, name, agent_type, is_active, timezone, config, sealed_headers, created_at)
    select id, version, name, agent_type, is_active, timezone, config, sealed_headers, updated_at
    from agents where id = ${id}`

export const removeAgent = (tx: TenantTx, id: string) =>
  tx.maybe(Agent)`delete from agents where id = ${id} returning ${columns}`

const Session = Type.Object({ turns: Type.Array(Type.Unsafe<object>({})) })

export const findSession = (tx: TenantSql, agentId: string, sessionId: string) =>
  tx.maybe(Session)`select turns from agent_sessions where agent_id = ${agentId} and session_id = ${sessionId}`

/** Appends to turns that a parallel request may have added; the oldest are dropped. */
export const addTurns = (tx: TenantTx, agentId: string, sessionId: string, turns: object[], kept: number) =>
  tx.run`
    insert into agent_sessions as s (agent_id, session_id, turns)
    values (${agentId}, ${sessionId}, ${JSON.stringify(turns)}::jsonb)
    on conflict (organization_id, livemode, agent_id, session_id) do update set updated_at = now(), turns = (
      select jsonb_agg(turn order by position) from (
        select turn, position from jsonb_array_elements(s.turns || excluded.turns) with ordinality t (turn, position)
        order by position desc limit ${kept}) newest)`

export const sweepSessions = (system: SystemSql) =>
  system.run`delete from agent_sessions where updated_at < now() - interval '1 day'`

/** Adds to the current month in UTC. */
interface Tokens {
  input_tokens: number
  output_tokens: number
}

/** `ownKey` is the part of them that the organization's own account pays for. */
export const addChatTokens = (tx: TenantSql, usage: Tokens, ownKey: Tokens) =>
  tx.run`
    insert into chat_tokens as counted (month, input_tokens, output_tokens, own_key_input_tokens, own_key_output_tokens)
    values (date_trunc('month', now() at time zone 'UTC'), ${usage.input_tokens}, ${usage.output_tokens},
      ${ownKey.input_tokens}, ${ownKey.output_tokens})
    on conflict (organization_id, livemode, month) do update set
      input_tokens = counted.input_tokens + excluded.input_tokens,
      output_tokens = counted.output_tokens + excluded.output_tokens,
      own_key_input_tokens = counted.own_key_input_tokens + excluded.own_key_input_tokens,
      own_key_output_tokens = counted.own_key_output_tokens + excluded.own_key_output_tokens`
