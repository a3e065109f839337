import type { Database } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import { createMemory } from '../../platform/memory.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import type { Signals } from '../../platform/signals.ts'
import type { AccountProvider, ProviderKeys } from '../../providers/accounts/contract.ts'
import { readSealedKeys } from './queries.ts'
import { contextOf } from './sealed-key.ts'

/** Keys of organizations for their own accounts, in clear: never part of a response, never logged. */
export interface OwnKeys {
  of(organizationId: string): Promise<ProviderKeys>
  close(): void
}

export const ownKeysChannel = 'provider_keys'

/** A removed key is no longer used by any node within five seconds, even if the notification is lost. */
const rememberForMs = 3_000
const maxRemembered = 10_000

/** Caches the keys of organizations: every turn of a conversation asks for them. */
export function createOwnKeys(database: Database, signals: Signals, secrets: SecretBox, log: Log): OwnKeys {
  const memory = createMemory<ProviderKeys>({ forMs: rememberForMs, most: maxRemembered })
  const stopListening = signals.on(ownKeysChannel, memory.forget, { atOnce: true })

  async function read(organizationId: string): Promise<ProviderKeys> {
    const rows = await readSealedKeys(database.forSystem(), organizationId)
    return Object.fromEntries(
      rows.map(({ provider, sealed_key }) => [provider, openKey(sealed_key, organizationId, provider)]),
    )
  }

  /** One key that cannot be opened, such as after a restored backup, concerns its provider alone. */
  function openKey(sealed: Buffer, organizationId: string, provider: AccountProvider): string | null {
    try {
      return secrets.open(sealed, contextOf(organizationId, provider))
    } catch (error) {
      log.error({ err: error, organization: organizationId, provider }, 'provider keys: key cannot be opened')
      return null
    }
  }

  return {
    of: (organizationId) => memory.recall(organizationId, () => read(organizationId)),
    close: stopListening,
  }
}
