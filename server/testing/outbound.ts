import type { TenantScope } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import type { TestApp } from './app.ts'

/** Inserts outbound messages as they are before or after the platform accepted them, without sending any. */
export async function outboundMessages(
  app: TestApp,
  scope: TenantScope,
  {
    contactId,
    channelId,
    count = 1,
    accepted = true,
    error,
  }: {
    contactId: string
    channelId: string
    count?: number
    accepted?: boolean
    error?: { code: string; message: string }
  },
): Promise<{ id: string; chatMessageId: string }[]> {
  const rows = Array.from({ length: count }, () => {
    const id = newId()
    return { id, chatMessageId: `wamid.OUT${id}` }
  })
  await app.database.inTenant(
    scope,
    (tx) => tx.run`
      insert into messages (id, contact_id, channel_id, chat_message_id, direction, message_type, body, status, error,
        actor_type, accepted_at)
      select id, ${contactId}, ${channelId}, case when ${accepted} then chat_message_id else '' end, 'outbound', 'text',
        'hello', ${error ? 'failed' : 'sent'}, ${error ?? null}, 'user', case when ${accepted} then now() end
      from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ chatMessageId }) => chatMessageId)}::text[])
        r (id, chat_message_id)`,
  )
  return rows
}
