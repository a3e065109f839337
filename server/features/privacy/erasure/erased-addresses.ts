import type { TenantScope, TenantSql } from '../../../platform/database.ts'
import type { SecretBox } from '../../../platform/secrets.ts'
import { findErasedAddresses } from './queries.ts'

export type Digest = Pick<SecretBox, 'digest'>

/** Differs between organizations, so that digests do not tell that two of them erased the same person. */
export const digestOf = (secrets: Digest, { organizationId, livemode }: TenantScope, address: string): Buffer =>
  secrets.digest(`${organizationId} ${livemode} ${address}`, 'erased address')

/** When each of these people was erased, if they were. `addresses` has those of one person each. */
export async function findErasureTimes(
  sql: TenantSql,
  secrets: Digest,
  addresses: string[][],
): Promise<(string | undefined)[]> {
  const digests = addresses.map((own) => own.map((address) => digestOf(secrets, sql.scope, address)))
  const found = await findErasedAddresses(sql, digests.flat())
  const times = new Map(found.map(({ digest, erased_at }) => [digest.toString('hex'), erased_at]))
  return digests.map((own) =>
    own
      .flatMap((digest) => times.get(digest.toString('hex')) ?? [])
      .sort()
      .at(-1),
  )
}
