import { defineEvent } from '../../platform/events.ts'
import { Agent } from './schema.ts'

const scope = 'agents:read'

export const agentCreated = defineEvent('agent.created', scope, Agent)
export const agentUpdated = defineEvent('agent.updated', scope, Agent)
export const agentDeleted = defineEvent('agent.deleted', scope, Agent)

export const agentEvents = [agentCreated, agentUpdated, agentDeleted]
