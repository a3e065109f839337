import type { TenantSql } from '../../../platform/database.ts'
import { randomToken, type SecretBox } from '../../../platform/secrets.ts'
import { showHealth } from '../health/show-health.ts'
import { type ChannelRow, claimHook } from '../queries.ts'
import type { Channel, ChatCredentials } from '../schema.ts'

/** The hooks where the chat platform posts its webhooks, and how a channel is bound to one. */

/** The platform app for every channel of the installation that has no app of its own. */
interface InstallationApp {
  appSecret: string
  verifyToken: string
}

export interface ChatHookSettings {
  publicUrl: string | undefined
  installationApp: InstallationApp | undefined
}

/** Signaled when a channel is created, changed or deleted, so that nodes clear their hook secret cache. */
export const chatHooksChannel = 'chat-hooks'

/** Lets apps be compared across channels and organizations without decrypting their secrets. */
export const hashOfApp = (secrets: SecretBox, appSecret: string): Buffer => secrets.digest(appSecret, 'chat app')

/**
 * Binds the app to a hook. If the app has none yet, it gets `presentId`, so that a new app secret does not change the
 * hook's address.
 */
export async function bindHook(
  sql: TenantSql,
  secrets: SecretBox,
  appSecret: string,
  presentId: string | null = null,
): Promise<{ appHash: Buffer; hookId: string }> {
  const appHash = hashOfApp(secrets, appSecret)
  return { appHash, hookId: await claimHook(sql, appHash, presentId ?? randomToken(32)) }
}

/** A channel needs its own app unless the installation has one; an own app needs both secrets. */
export function missingOfApp(
  { app_secret, verify_token }: Partial<ChatCredentials>,
  { installationApp }: ChatHookSettings,
): string[] {
  if (installationApp && app_secret === undefined && verify_token === undefined) return []
  return Object.entries({ app_secret, verify_token }).flatMap(([name, value]) => (value === undefined ? [name] : []))
}

/** The channel as responses and events show it. */
export function showChannel(row: ChannelRow, secrets: SecretBox, hooks: ChatHookSettings): Channel {
  const { chat_app_hash, chat_hook_id, verification_id, chat, health, ...channel } = row
  return { ...channel, health: showHealth(health), chat: chat && { ...chat, hook_url: hookUrl(row, secrets, hooks) } }
}

function hookUrl(row: ChannelRow, secrets: SecretBox, { publicUrl = '', installationApp }: ChatHookSettings) {
  const { livemode, chat_app_hash: appHash, chat_hook_id: hookId } = row
  const hasInstallationApp =
    livemode && installationApp && (!appHash || appHash.equals(hashOfApp(secrets, installationApp.appSecret)))
  if (hasInstallationApp) return `${publicUrl}/hooks/chat`
  return hookId && `${publicUrl}/hooks/chat/${hookId}`
}
