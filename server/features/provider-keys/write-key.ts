import type { TenantTx } from '../../platform/database.ts'
import { found } from '../../platform/errors.ts'
import { emit } from '../../platform/events.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import type { AccountProvider } from '../../providers/accounts/contract.ts'
import { describeKey, type InstalledProviders } from './describe-keys.ts'
import { providerKeyCreated, providerKeyDeleted, providerKeyUpdated } from './events.ts'
import { ownKeysChannel } from './own-keys.ts'
import { deleteOwnKey, lockOwnKey, saveOwnKey } from './queries.ts'
import type { ProviderKey } from './schema.ts'
import { contextOf } from './sealed-key.ts'

export interface KeyWriting {
  secrets: SecretBox
  installed: InstalledProviders
}

/** Sets or replaces the organization's own key. Requests use it as soon as this is committed. */
export async function setKey(
  tx: TenantTx,
  provider: AccountProvider,
  key: string,
  { secrets, installed }: KeyWriting,
): Promise<ProviderKey> {
  const { organizationId } = tx.scope
  const before = await lockOwnKey(tx, provider)
  const sealed = secrets.seal(key, contextOf(organizationId, provider))
  const saved = await saveOwnKey(tx, provider, { sealed, lastFour: key.slice(-4) })
  const described = describeKey(provider, saved, installed)
  await emit(tx, before ? providerKeyUpdated : providerKeyCreated, described)
  tx.signal(ownKeysChannel, organizationId)
  return described
}

/** Removes the organization's own key. Requests use the installation's key again, if there is one. */
export async function removeKey(tx: TenantTx, provider: AccountProvider, { installed }: KeyWriting): Promise<void> {
  found(await deleteOwnKey(tx, provider), 'Provider key')
  await emit(tx, providerKeyDeleted, describeKey(provider, undefined, installed))
  tx.signal(ownKeysChannel, tx.scope.organizationId)
}
