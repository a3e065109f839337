import type { Database } from '../../../platform/database.ts'
import type { SecretBox } from '../../../platform/secrets.ts'
import { listChannelsOfHook } from '../queries.ts'
import { openChat } from '../sides.ts'
import { hashOfApp } from './chat-hook.ts'
import { simulatedApp } from './hook-of-channel.ts'

/** A platform app that posts to a hook, and its owner. Holds plaintext secrets: never return or log it. */
interface AppOfHook {
  owner: { organizationId: string; livemode: boolean; appHash: Buffer }
  appSecret: string
  verifyTokens: string[]
}

/** Returns the apps that may post to a hook: those of the channels that are bound to it now. */
export async function appsOfHook(
  database: Database,
  hookId: string,
  { secrets }: { secrets: SecretBox },
): Promise<AppOfHook[]> {
  const apps = new Map<string, AppOfHook>()
  for (const channel of await listChannelsOfHook(database.forSystem(), hookId)) {
    const scope = { organizationId: channel.organization_id, livemode: channel.livemode }
    const key = `${scope.organizationId} ${scope.livemode} ${channel.chat_app_hash.toString('hex')}`
    const chat = openChat(secrets, scope, { ...channel, voice: null, sealed_voice: null })
    const { appSecret, verifyToken } =
      chat?.app_secret && chat.verify_token
        ? { appSecret: chat.app_secret, verifyToken: chat.verify_token }
        : simulatedApp(secrets, scope.organizationId)
    // Skips a channel whose stored app hash does not match its own app secret.
    if (!hashOfApp(secrets, appSecret).equals(channel.chat_app_hash)) continue
    const app = apps.get(key) ?? { owner: { ...scope, appHash: channel.chat_app_hash }, appSecret, verifyTokens: [] }
    if (!app.verifyTokens.includes(verifyToken)) app.verifyTokens.push(verifyToken)
    apps.set(key, app)
  }
  return [...apps.values()]
}
