import type { TenantSql } from '../../../platform/database.ts'
import { conflict, found } from '../../../platform/errors.ts'
import type { SecretBox } from '../../../platform/secrets.ts'
import { findStoredChannel, setChannelApp } from '../queries.ts'
import { openChat } from '../sides.ts'
import { bindHook } from './chat-hook.ts'

/** The address and the secrets of a channel's webhooks. Never return, emit or log it. */
interface ChannelHook {
  /** Webhooks are posted to `/hooks/chat/{hookId}`. */
  hookId: string
  appSecret: string
  verifyToken: string
  /** Webhooks of this channel must carry these as `metadata.phone_number_id` and as the id of their entry. */
  phoneNumberId: string
  businessAccountId: string
}

/**
 * Returns the hook of the channel and creates it if needed. A test channel without credentials uses a simulated app:
 * its secrets are derived from SECRET_KEY, its number id is the channel's id and its account id the organization's.
 */
export async function hookOfChannel(
  sql: TenantSql,
  channelId: string,
  { secrets }: { secrets: SecretBox },
): Promise<ChannelHook> {
  const channel = found(await findStoredChannel(sql, channelId), 'Channel')
  const { organizationId, livemode } = sql.scope
  const chat = openChat(secrets, sql.scope, channel)
  if (livemode && !chat?.app_secret) throw conflict('This channel has no app secret of its own')
  const { appSecret, verifyToken } =
    chat?.app_secret && chat.verify_token
      ? { appSecret: chat.app_secret, verifyToken: chat.verify_token }
      : simulatedApp(secrets, organizationId)
  const { appHash, hookId } = await bindHook(sql, secrets, appSecret, channel.chat_hook_id)
  if (!channel.chat_app_hash?.equals(appHash)) await setChannelApp(sql, channelId, appHash)
  return {
    hookId,
    appSecret,
    verifyToken,
    phoneNumberId: chat?.phone_number_id ?? channelId,
    businessAccountId: chat?.business_account_id ?? organizationId,
  }
}

/** Derived from SECRET_KEY, so nothing need be stored. */
export function simulatedApp(secrets: SecretBox, organizationId: string) {
  const derive = (purpose: string) => secrets.digest(organizationId, purpose).toString('hex')
  return { appSecret: derive('simulated app secret'), verifyToken: derive('simulated verify token') }
}
