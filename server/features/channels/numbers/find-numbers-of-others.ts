import Type from 'typebox'
import type { TenantScope } from '../../../platform/database.ts'
import type { Sql } from '../../../platform/sql.ts'

const Found = Type.Object({ number: Type.String() })

/** Of these phone number ids, those that channels of other organizations have and none of this one’s. */
export async function findNumbersOfOthers(
  system: Sql,
  { organizationId, livemode }: TenantScope,
  phoneNumberIds: string[],
): Promise<Set<string>> {
  const found = await system.all(Found)`
    select chat ->> 'phone_number_id' as number from channels
    where chat ->> 'phone_number_id' = any(${phoneNumberIds}::text[]) and livemode = ${livemode} and deleted_at is null
    group by 1 having not bool_or(organization_id = ${organizationId})`
  return new Set(found.map(({ number }) => number))
}
