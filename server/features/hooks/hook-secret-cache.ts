import type { Database } from '../../platform/database.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import type { Signals } from '../../platform/signals.ts'
import { appsOfHook } from '../channels/apps-of-hook.ts'
import { type ChatHookSettings, chatHooksChannel } from '../channels/chat-hook.ts'
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
  const remembered = new Map<string, { reading: Promise<HookApp[]>; readAt: number }>()
  const stopListening = signals.on(chatHooksChannel, () => remembered.clear(), { atOnce: true })
  const { installationApp } = hooks
  const installation: HookApp[] = installationApp
    ? [{ owner: null, appSecret: installationApp.appSecret, verifyTokens: [installationApp.verifyToken] }]
    : []

  function read(hookId: string): Promise<HookApp[]> {
    const known = remembered.get(hookId)
    if (known && performance.now() - known.readAt < rememberForMs) return known.reading
    if (remembered.size >= maxRemembered) remembered.clear()
    const entry = { reading: appsOfHook(database, hookId, { secrets }), readAt: performance.now() }
    remembered.set(hookId, entry)
    // Unknown ids are unlimited and a failure may be temporary: neither is cached.
    const forget = () => remembered.get(hookId) === entry && remembered.delete(hookId)
    entry.reading.then((apps) => apps.length === 0 && forget(), forget)
    return entry.reading
  }

  return {
    appsOf: async (hookId) => {
      if (hookId === null) return installation
      return hookIdPattern.test(hookId) ? read(hookId) : []
    },
    close: stopListening,
  }
}
