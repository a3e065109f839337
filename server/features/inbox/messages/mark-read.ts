import type { Database, TenantScope } from '../../../platform/database.ts'
import type { ChatConnections } from '../../channels/connections/chat-connections.ts'
import { isFinal } from '../sending/deliver.ts'
import { findPlatformIds } from './message-queries.ts'

/**
 * Sends a read receipt for a message to the platform, with a typing indicator where an answer follows. Repeating it
 * does no harm; a permanent refusal is ignored.
 */
export async function markRead(
  { database, chatConnections }: { database: Database; chatConnections: ChatConnections },
  scope: TenantScope,
  messageId: string,
  options: { isTyping?: boolean } = {},
): Promise<void> {
  const sql = database.forTenant(scope)
  const message = await findPlatformIds(sql, messageId)
  if (!message) return
  try {
    const { platform } = await chatConnections.open(sql, message.channel_id)
    await platform.markRead(message.chat_message_id, options)
  } catch (error) {
    if (!isFinal(error)) throw error
  }
}
