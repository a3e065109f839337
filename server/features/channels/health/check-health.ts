import type { Database, TenantScope } from '../../../platform/database.ts'
import { found } from '../../../platform/errors.ts'
import type { ChatConnections } from '../connections/chat-connections.ts'
import { failWith } from '../connections/upstream.ts'
import { showChannel } from '../hooks/chat-hook.ts'
import type { Channel } from '../schema.ts'
import { recordNumberHealth, type ShowingChannels } from './record-health.ts'

export interface CheckingHealth extends ShowingChannels {
  database: Database
  chatConnections: ChatConnections
}

/** Reads the number's health from the platform and records it. */
export async function checkHealth(deps: CheckingHealth, scope: TenantScope, channelId: string): Promise<Channel> {
  const { database, chatConnections, secrets, hooks } = deps
  const { platform } = await chatConnections.open(database.forTenant(scope), channelId)
  const checkedAt = new Date()
  // Whole seconds, as in webhooks: one that is sent within the same second is not older than this answer.
  const at = new Date(Math.floor(checkedAt.getTime() / 1000) * 1000).toISOString()
  const facts = await platform.readHealth().catch(failWith('WhatsApp did not show the number'))
  const row = await database.inTenant(scope, (tx) =>
    recordNumberHealth(tx, channelId, { at, facts, checkedAt: checkedAt.toISOString() }, deps),
  )
  return showChannel(found(row, 'Channel'), secrets, hooks)
}
