import type { TenantTx } from '../../../platform/database.ts'
import { conflict, found } from '../../../platform/errors.ts'
import type { Principal } from '../../../platform/http/principal.ts'
import { credentialsChannel } from '../credentials/credential-cache.ts'
import type { Key, KeyChanges } from '../schema.ts'
import { lockKey, updateKeyRow } from './queries.ts'
import { checkAddresses, modesOf } from './rules.ts'

/** Renames a key or changes where it may be used from. */
export async function updateKey(tx: TenantTx, principal: Principal, id: string, changes: KeyChanges): Promise<Key> {
  checkAddresses(changes.allowed_ips)
  const key = found(await lockKey(tx, modesOf(principal), id), 'Key')
  if (key.has_ended) throw conflict('This key has been revoked or has expired: create a new one')
  const { name = key.name, allowed_ips = key.allowed_ips } = changes
  tx.signal(credentialsChannel)
  return updateKeyRow(tx, id, { name: name.trim(), allowed_ips })
}
