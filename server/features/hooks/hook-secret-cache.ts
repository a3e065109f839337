import type { Database } from '../../platform/database.ts'
import { createMemory } from '../../platform/memory.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import type { Signals } from '../../platform/signals.ts'
import { appsOfHook } from '../channels/hooks/apps-of-hook.ts'
import { type ChatHookSettings, chatHooksChannel } from '../channels/hooks/chat-hook.ts'
import type { HookOwner } from './schema.ts'

/** One app that may post to a hook. */
export interface HookApp {
  owner: HookOwner | null
  appSecret: string
  verifyTokens: string[]
}

export interface HookSecretCache {
  /** The apps of a hook, empty if there is no such hook; `null` is the hook of the whole installation. */
  appsOf(hookId: string | null): Promise<HookApp[]>
  close(): void
}

/** A replaced or removed secret is refused on every node within five seconds, even if the notification is lost. */
const rememberForMs = 3_000
const maxRemembered = 10_000

const hookIdPattern = /^[0-9A-Za-z]{32}$/

/** Caches which apps may post to which hook; every webhook needs this, and it rarely changes. */
export function createHookSecretCache(
  database: Database,
  signals: Signals,
  { secrets, hooks }: { secrets: SecretBox; hooks: ChatHookSettings },
): HookSecretCache {
  // Unknown ids are unlimited: they are not kept.
  const isKept = (apps: HookApp[]) => apps.length > 0
  const memory = createMemory({ forMs: rememberForMs, most: maxRemembered, isKept })
  const stopListening = signals.on(chatHooksChannel, () => memory.forget(), { atOnce: true })
  const { installationApp } = hooks
  const installation: HookApp[] = installationApp
    ? [{ owner: null, appSecret: installationApp.appSecret, verifyTokens: [installationApp.verifyToken] }]
    : []

  return {
    appsOf: async (hookId) => {
      if (hookId === null) return installation
      if (!hookIdPattern.test(hookId)) return []
      return memory.recall(hookId, () => appsOfHook(database, hookId, { secrets }))
    },
    close: stopListening,
  }
}
