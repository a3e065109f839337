import { completeConfig } from '../features/agents/config/complete-config.ts'
import type { TenantTx } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'

/** The agent that answers chats from the knowledge base. */
export async function seedAgent(tx: TenantTx, channelId: string): Promise<void> {
  const id = newId()
  const config = completeConfig({
    system_prompt:
      'You answer for Juniper Dental, a dental practice in San Francisco. Be friendly and brief. Hand off questions about payments, pain and appointments.',
    welcome_message: 'Hello, this is Juniper Dental. How can I help you?',
  })
  await addAgent(tx, { id, name: 'Juniper Assistant', type: 'prompt', config })
  await tx.run`update channels set agent_id = ${id} where id = ${channelId}`
}

interface DemoAgent {
  id: string
  name: string
  type: 'prompt' | 'static'
  config: object
}

/** An active agent with its first version. */
export async function addAgent(tx: TenantTx, { id, name, type, config }: DemoAgent): Promise<void> {
  await tx.run`
    insert into agents (id, name, agent_type, is_active, config) values (${id}, ${name}, ${type}, 'active', ${config})`
  await tx.run`
    insert into agent_versions (agent_id, version, name, agent_type, is_active, config, created_at)
    select id, version, name, agent_type, is_active, config, updated_at from agents where id = ${id}`
}
