import type { TenantTx } from '../../platform/database.ts'
import { AppError, invalid } from '../../platform/errors.ts'
import type { Principal } from '../../platform/http/principal.ts'
import { isTimeZone } from '../../platform/instants.ts'
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
  if (changes.time_zone !== undefined && !isTimeZone(changes.time_zone))
    throw invalid(['body', 'time_zone'], 'Not a time zone: use an IANA name such as Europe/Berlin')
  phones.requireCountry(changes.default_country, ['body', 'default_country'])
  return updateOrganization(tx, changes)
}
