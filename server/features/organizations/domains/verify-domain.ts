import type { Resolver } from 'node:dns/promises'
import type { Database, TenantScope } from '../../../platform/database.ts'
import { conflict, found, violates } from '../../../platform/errors.ts'
import { hasDnsRecord } from './dns-record.ts'
import { findDomain, markVerified } from './queries.ts'
import type { Domain } from './schema.ts'

/** Looks for the TXT record, and lets people of the domain join once it is there. */
export async function verifyDomain(
  { database, resolver }: { database: Database; resolver: Resolver },
  scope: TenantScope,
  id: string,
): Promise<Domain> {
  const domain = found(await findDomain(database.forTenant(scope), id), 'Domain')
  const { record_name: name, record_value: value } = domain
  if (!(await hasDnsRecord(resolver, domain)))
    throw conflict(`There is no TXT record ${name} with the value ${value} yet. A new record can take hours to appear`)
  const verified = await database
    .inTenant(scope, (tx) => markVerified(tx, id))
    .catch((error) => {
      throw violates(error, 'domains_verified_once')
        ? conflict(`${domain.domain} has been verified by another organization`)
        : error
    })
  return found(verified, 'Domain')
}
