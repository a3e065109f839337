import type { TenantTx } from '../../platform/database.ts'

/** Records that the WhatsApp Business app uses these numbers too: the platform has sent webhooks about the app. */
export const markCoexistence = (tx: TenantTx, channelIds: string[]) =>
  tx.run`update channels set coexistence = true where id = any(${channelIds}::uuid[]) and not coexistence`
