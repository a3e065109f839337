import type { TenantTx } from '../../platform/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { Principal } from '../../platform/http/principal.ts'
import type { PhoneNumbers } from '../../platform/phone-numbers.ts'
import { credentialsChannel } from './credentials/credential-cache.ts'
import { type LimitedOrganization, updateOrganization } from './queries.ts'
import type { OrganizationChanges } from './schema.ts'

export async function changeOrganization(
  tx: TenantTx,
  { person }: Principal,
  changes: OrganizationChanges,
  phones: PhoneNumbers,
): Promise<LimitedOrganization | undefined> {
  if (changes.requires_second_factor !== undefined) {
    if (person?.role !== 'owner') throw new AppError(403, 'Only owners can change whether a second factor is required')
    // Every node then reads again which members may work here.
    tx.signal(credentialsChannel)
  }
  phones.requireCountry(changes.default_country, ['body', 'default_country'])
  return updateOrganization(tx, changes)
}
