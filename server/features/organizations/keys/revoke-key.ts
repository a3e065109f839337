import type { TenantTx } from '../../../platform/database.ts'
import { notFound } from '../../../platform/errors.ts'
import type { Principal } from '../../../platform/http/principal.ts'
import { credentialsChannel } from '../credentials/credential-cache.ts'
import { revokeKeyRow } from './queries.ts'
import { modesOf } from './rules.ts'

/** Revokes a key permanently; one that has already ended stays unchanged. */
export async function revokeKey(tx: TenantTx, principal: Principal, id: string): Promise<void> {
  const found = await revokeKeyRow(tx, modesOf(principal), id, 0)
  if (found === 0) throw notFound('Key')
  tx.signal(credentialsChannel)
}
