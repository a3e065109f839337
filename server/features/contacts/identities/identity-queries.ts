import Type, { type Static } from 'typebox'
import type { TenantSql, TenantTx } from '../../../platform/database.ts'
import { Nullable, OneOf } from '../../../platform/schemas.ts'
import { type Fragment, joinSql, sql } from '../../../platform/sql.ts'
import { handledBy } from '../lists/conditions.ts'
import { columns } from '../queries.ts'
import { ContactWithIdentities } from '../schema.ts'

export interface Addresses {
  phoneNumbers: string[]
  userIds: string[]
}

const KnownIdentity = Type.Object({
  contact_id: Type.String(),
  kind: OneOf(['phone', 'whatsapp_user_id'] as const),
  value: Type.String(),
  is_primary: Type.Boolean(),
  until: Nullable(Type.String()),
})
export type KnownIdentity = Static<typeof KnownIdentity>
export type IdentityKind = KnownIdentity['kind'] | 'username'

/** Identities with these values, past and present. Each part is one range of a partial index. */
export const identitiesWith = ({ phoneNumbers, userIds }: Addresses): Fragment =>
  joinSql(
    [sql`until is null`, sql`until is not null`].flatMap((state) => [
      sql`select * from contact_identities where kind = 'phone' and value = any(${phoneNumbers}::text[]) and ${state}`,
      sql`select * from contact_identities where kind = 'whatsapp_user_id' and value = any(${userIds}::text[]) and ${state}`,
    ]),
    ' union all ',
    sql`select * from contact_identities where false`,
  )

export const findIdentities = (tx: TenantTx, addresses: Addresses) =>
  tx.all(KnownIdentity)`
    select contact_id, kind, value, is_primary, until from (${identitiesWith(addresses)}) known`

const PrimarySince = Type.Object({ contact_id: Type.String(), kind: Type.String(), since: Type.String() })

/** Since when the contacts have their primary addresses; '' for one that they do not have. */
export async function findPrimarySince(
  tx: TenantTx,
  contactIds: string[],
): Promise<(contactId: string, kind: IdentityKind) => string> {
  const rows = await tx.all(PrimarySince)`
    select contact_id, kind, since from contact_identities where contact_id = any(${contactIds}::uuid[]) and is_primary`
  const times = new Map(rows.map(({ contact_id, kind, since }) => [`${contact_id} ${kind}`, since]))
  return (contactId, kind) => times.get(`${contactId} ${kind}`) ?? ''
}

export const findContactWithIdentities = (tx: TenantSql, id: string) =>
  tx.maybe(ContactWithIdentities)`
    select ${columns}, ${handledBy(tx)}, coalesce((
      select jsonb_agg(jsonb_build_object('kind', kind, 'value', value, 'primary', is_primary, 'since', iso(since),
        'until', iso(until)) order by until desc nulls first, kind, is_primary desc, since, value)
      from contact_identities where contact_id = ${id}), '[]') as identities
    from contacts where id = ${id}`

const Address = Type.Object({ value: Type.String(), kind: Type.String() })

/** What the contact is or was reached by. */
export const listAddresses = (tx: TenantSql, contactId: string) =>
  tx.all(Address)`select value, kind from contact_identities where contact_id = ${contactId} order by kind, value`

/** Another number in place of one that is not the primary one. No other contact has it. */
export const replaceNumber = (
  tx: TenantTx,
  contactId: string,
  { former, value, at }: { former: string; value: string; at: string },
) =>
  tx.run`
    with ended as (
      update contact_identities set until = ${at}
      where contact_id = ${contactId} and kind = 'phone' and value = ${former} and until is null and not is_primary)
    insert into contact_identities (contact_id, kind, value, since) values (${contactId}, 'phone', ${value}, ${at})
    on conflict (organization_id, livemode, contact_id, kind, value) do update set until = null, since = excluded.since`

interface PastIdentity {
  kind: IdentityKind
  value: string
  at: string
}

/** Nothing if another contact has it now. */
const insertPast = (contactId: string, { kind, value, at }: PastIdentity): Fragment => sql`
  insert into contact_identities as i (contact_id, kind, value, since, until)
  select ${contactId}, ${kind}, ${value}, ${at}, ${at}
  where not exists (select from (${identitiesWith({
    phoneNumbers: kind === 'phone' ? [value] : [],
    userIds: kind === 'whatsapp_user_id' ? [value] : [],
  })}) other where other.contact_id <> ${contactId} and other.until is null)
  on conflict (organization_id, livemode, contact_id, kind, value)`

/** An identity that the contact had at that time and has no more. */
export const addPastIdentity = (tx: TenantTx, contactId: string, past: PastIdentity) =>
  tx.run`${insertPast(contactId, past)} do nothing`

/** An identity that the contact gave up. The primary one stays, and one that it got after that time. */
export const endIdentity = (tx: TenantTx, contactId: string, past: PastIdentity) =>
  tx.run`
    ${insertPast(contactId, past)} do update set
      until = least(i.until, excluded.until), since = least(i.since, excluded.until)
      where not i.is_primary and (i.until is not null or i.since <= excluded.until)`
