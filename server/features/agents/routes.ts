import { found } from '../../platform/errors.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { Deleted, deleted } from '../../platform/schemas.ts'
import type { Speech } from '../../providers/speech/speech.ts'
import { type Chatting, chatWithAgent } from './answering/chat-with-agent.ts'
import { deleteAgent } from './delete-agent.ts'
import { listVoices } from './list-voices.ts'
import { promoteAgent } from './promote-agent.ts'
import { findAgentRow, listAgents } from './queries.ts'
import {
  Agent,
  AgentChanges,
  AgentFilter,
  AgentPage,
  AgentPath,
  ChatAnswer,
  ChatMessage,
  NewAgent,
  PromotedAgent,
  VoiceFilter,
  VoiceList,
} from './schema.ts'
import { createAgent, updateAgent, type Writing } from './write-agent.ts'

const tag = 'Agents'

/** With a provider, each may be a request to it. */
const voiceListsPerMinute = 60

export interface AgentDependencies extends Writing, Chatting {
  speech: Pick<Speech, 'offered' | 'listVoices'>
}

export function agentRoutes(routes: Routes, deps: AgentDependencies): void {
  routes.write({
    id: 'createAgent',
    method: 'POST',
    url: '/agents',
    tag,
    summary: 'Create an agent',
    description:
      'Fields that `agent_config` omits get their defaults. Header values are stored encrypted and shown masked. Addresses of tools and MCP servers must not lead into this service’s own network.',
    scope: 'agents:write',
    body: NewAgent,
    response: Agent,
    status: 201,
    errors: [404],
    handler: (tx, { body }) => createAgent(tx, body, deps),
  })

  routes.read({
    id: 'listAgents',
    method: 'GET',
    url: '/agents',
    tag,
    summary: 'List agents',
    scope: 'agents:read',
    query: AgentFilter,
    response: AgentPage,
    handler: (sql, { query }) => listAgents(sql, query),
  })

  routes.read({
    id: 'getAgent',
    method: 'GET',
    url: '/agents/{agent_id}',
    tag,
    summary: 'Get an agent',
    scope: 'agents:read',
    params: AgentPath,
    response: Agent,
    handler: async (sql, { params }) => found(await findAgentRow(sql, params.agent_id), 'Agent'),
  })

  routes.write({
    id: 'updateAgent',
    method: 'PATCH',
    url: '/agents/{agent_id}',
    tag,
    summary: 'Update an agent',
    description:
      'Changes only the fields that you send, even within `agent_config`, its `transcriber`, `call_settings`, `knowledge` and `business_hours`. `tools`, `mcp_servers` and `rules` are replaced as a whole; `null` resets a field to its default. A masked header value that you send back stays unchanged, as long as the address stays on the same server. Every change creates a new version.',
    scope: 'agents:write',
    params: AgentPath,
    body: AgentChanges,
    response: Agent,
    handler: (tx, { params, body }) => updateAgent(tx, params.agent_id, body, deps),
  })

  routes.write({
    id: 'deleteAgent',
    method: 'DELETE',
    url: '/agents/{agent_id}',
    tag,
    summary: 'Delete an agent',
    description: 'Channels that used the agent are left without one. Call logs stay.',
    scope: 'agents:write',
    params: AgentPath,
    response: Deleted,
    handler: (tx, { params }) => deleteAgent(tx, params.agent_id).then(() => deleted('Agent')),
  })

  routes.callOut({
    id: 'chatWithAgent',
    method: 'POST',
    url: '/agents/{agent_id}/chat',
    tag,
    summary: 'Chat with an agent',
    description:
      'Takes one turn in writing, with the same configuration, tools and knowledge as in calls and in the inbox, even while the agent is inactive. In test mode no hosted model is called: the reply quotes the knowledge base, and a tool is called when the message contains its name. A session is kept for a day after its last turn.',
    scope: 'agents:write',
    params: AgentPath,
    body: ChatMessage,
    response: ChatAnswer,
    errors: [409, 502],
    handler: ({ params, body, principal: { scope } }) =>
      chatWithAgent(deps, scope, params.agent_id, body, AbortSignal.timeout(longestTurnMs)),
  })

  routes.callOut({
    id: 'promoteAgent',
    method: 'POST',
    url: '/agents/{agent_id}/promote',
    tag,
    summary: 'Promote an agent to live mode',
    description:
      'Copies an agent from test mode. Use a live credential and the id of the test agent. The copy has its own id; promoting the same agent again updates the copy (200). Documents chosen for the agent are replaced by their promoted copies; `missing_documents` lists those that have none.',
    scope: 'agents:write',
    params: AgentPath,
    response: PromotedAgent,
    status: 201,
    otherStatus: 200,
    errors: [400],
    handler: ({ params, principal: { scope } }) => promoteAgent(deps, scope, params.agent_id),
  })

  routes.callOut({
    id: 'listVoices',
    method: 'GET',
    url: '/voices',
    tag,
    summary: 'List voices',
    description:
      'The voices with fixed ids. With `provider`, all voices of your account at that provider: the organization’s own account, or else the installation’s. The list is read from the provider at most once a minute.',
    scope: 'agents:read',
    query: VoiceFilter,
    response: VoiceList,
    errors: [409, 502],
    rateLimit: { name: 'voice-lists', perMinute: voiceListsPerMinute },
    handler: ({ query, principal }) => listVoices(deps.speech, principal.scope.organizationId, query),
  })
}

/** With every tool it may use; callers give up long before. */
const longestTurnMs = 120_000
