import type { TenantTx } from '../../../platform/database.ts'

/**
 * Records that the WhatsApp Business app uses these numbers too: the platform has sent webhooks about the app. Their
 * campaigns no longer use the Marketing Messages API.
 */
export const markCoexistence = (tx: TenantTx, channelIds: string[]) =>
  tx.run`
    update channels set coexistence = true,
      marketing_messages_changed_at = case when marketing_messages then now() else marketing_messages_changed_at end
    where id = any(${channelIds}::uuid[]) and not coexistence`
