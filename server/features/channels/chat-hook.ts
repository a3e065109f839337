import type { TenantSql } from '../../platform/database.ts'
import { randomToken, type SecretBox } from '../../platform/secrets.ts'
import { type ChannelRow, claimHook } from './queries.ts'
import type { Channel, ChatCredentials } from './schema.ts'

/** Where the chat platform posts its webhooks, and how a channel is tied to one such address. */

/** An app of the platform that serves every channel of the installation which brings none of its own. */
export interface InstallationApp {
  appSecret: string
  verifyToken: string
}

export interface ChatHookSettings {
  publicUrl: string | undefined
  installationApp: InstallationApp | undefined
}

/** Said when channels come, change or go: whoever remembers the secrets of a hook forgets them. */
export const chatHooksChannel = 'chat-hooks'

/** Apps are compared across channels and organizations without opening their secrets. */
export const hashOfApp = (secrets: SecretBox, appSecret: string): Buffer => secrets.digest(appSecret, 'chat app')

/** Ties the app to an address of its own: `presentId` is kept where the app has none yet, so that a new secret needs no new address. */
export async function giveHook(
  sql: TenantSql,
  secrets: SecretBox,
  appSecret: string,
  presentId: string | null = null,
): Promise<{ appHash: Buffer; hookId: string }> {
  const appHash = hashOfApp(secrets, appSecret)
  return { appHash, hookId: await claimHook(sql, appHash, presentId ?? randomToken(32)) }
}

/** Without an app for the whole installation a channel needs its own; of an own one both secrets. */
export function missingOfApp(
  { app_secret, verify_token }: Partial<ChatCredentials>,
  { installationApp }: ChatHookSettings,
): string[] {
  if (installationApp && app_secret === undefined && verify_token === undefined) return []
  return Object.entries({ app_secret, verify_token }).flatMap(([name, value]) => (value === undefined ? [name] : []))
}

/** The channel as it is answered and told of. */
export function showChannel(row: ChannelRow, secrets: SecretBox, hooks: ChatHookSettings): Channel {
  const { chat_app_hash, chat_hook_id, verification_id, chat, ...channel } = row
  return { ...channel, chat: chat && { ...chat, hook_url: hookUrl(row, secrets, hooks) } }
}

function hookUrl(row: ChannelRow, secrets: SecretBox, { publicUrl = '', installationApp }: ChatHookSettings) {
  const { livemode, chat_app_hash: appHash, chat_hook_id: hookId } = row
  const hasInstallationApp =
    livemode && installationApp && (!appHash || appHash.equals(hashOfApp(secrets, installationApp.appSecret)))
  if (hasInstallationApp) return `${publicUrl}/hooks/chat`
  return hookId && `${publicUrl}/hooks/chat/${hookId}`
}
