import type { TenantTx } from '../../../platform/database.ts'
import { identitiesWith } from '../identities/identity-queries.ts'
import { type Named, namedAddresses } from './lock-people.ts'

/** Locks the contacts with these numbers and accounts, and those with these ids, in the order of ids. */
export const lockContacts = (tx: TenantTx, named: Named[], ids: string[]) =>
  tx.run`
    select id from contacts where id = any(array(
      select contact_id from (${identitiesWith(namedAddresses(named))}) known union select unnest(${ids}::uuid[])))
    order by id for no key update`
