import type { TenantTx } from '../../../platform/database.ts'
import { sql } from '../../../platform/sql.ts'
import { type Addresses, identitiesWith } from '../identities/identity-queries.ts'
import { columns, qualifiedColumns } from '../queries.ts'
import { Contact, type ContactSource } from '../schema.ts'

/** Contacts by number or user id. Every transaction locks contacts in the order of ids, so there are no deadlocks. */
export const lockSenders = (tx: TenantTx, addresses: Addresses) =>
  tx.all(Contact)`
    select ${columns} from contacts where id = any(array(select contact_id from (${identitiesWith(addresses)}) known))
    order by id for no key update`

export interface SenderRow extends ContactSource {
  id: string
  phone_number: string
  whatsapp_user_id: string | null
  username: string | null
  name: string
  /** The platform's time of what revealed the addresses, ISO 8601. */
  identified_at: string | null
}

const sourceColumns = sql`source_type, source_id, source_headline, source_url, source_at`

/** One array for each of `sourceColumns`. */
const sourceArrays = (rows: ContactSource[]) => sql`${rows.map(({ source_type }) => source_type)}::text[],
  ${rows.map(({ source_id }) => source_id)}::text[], ${rows.map(({ source_headline }) => source_headline)}::text[],
  ${rows.map(({ source_url }) => source_url)}::text[], ${rows.map(({ source_at }) => source_at)}::timestamptz[]`

/** An id with the contact's own time and a random end. */
const siblingId = sql`(left(id::text, 24) || right(gen_random_uuid()::text, 12))::uuid`

/** Contacts with their first activities and events; those whose number or user id is taken are left out. */
export const insertSenders = (tx: TenantTx, rows: SenderRow[], eventType: string) =>
  tx.run`
    with created as (
      insert into contacts
        (id, phone_number, whatsapp_user_id, username, name, identified_at, ${sourceColumns}, last_activity_at, activity_counts)
      select id, phone_number, whatsapp_user_id, username, name, identified_at, ${sourceColumns}, now(), '{"contact_created": 1}'
      from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ phone_number }) => phone_number)}::text[],
        ${rows.map(({ whatsapp_user_id }) => whatsapp_user_id)}::text[],
        ${rows.map(({ username }) => username)}::text[], ${rows.map(({ name }) => name)}::text[],
        ${rows.map(({ identified_at }) => identified_at)}::timestamptz[], ${sourceArrays(rows)})
        r (id, phone_number, whatsapp_user_id, username, name, identified_at, ${sourceColumns})
      order by phone_number, whatsapp_user_id
      on conflict do nothing
      returning ${columns}
    ), activity as (
      insert into activities (id, contact_id, type, actor_type) select ${siblingId}, id, 'contact_created', 'system' from created
    )
    insert into events (id, type, data)
    select ${siblingId}, ${eventType}, jsonb_build_object('object', to_jsonb(created) || jsonb_build_object(
      'created_at', iso(created_at), 'updated_at', iso(updated_at), 'last_activity_at', iso(last_activity_at),
      'source_at', iso(source_at)))
    from created`

/** What a message says about its sender, its ad among it, and the new number that the platform reported. */
export const updateSenders = (tx: TenantTx, contacts: (Contact & { identified_at: string | null })[]) =>
  tx.all(Contact)`
    update contacts set name = r.name, phone_number = r.phone_number, whatsapp_user_id = r.whatsapp_user_id,
      username = r.username, identified_at = r.identified_at,
      source_type = r.source_type, source_id = r.source_id, source_headline = r.source_headline, source_url = r.source_url, source_at = r.source_at, updated_at = now()
    from unnest(${contacts.map(({ id }) => id)}::uuid[], ${contacts.map(({ name }) => name)}::text[],
      ${contacts.map(({ phone_number }) => phone_number)}::text[],
      ${contacts.map(({ whatsapp_user_id }) => whatsapp_user_id)}::text[],
      ${contacts.map(({ username }) => username)}::text[],
      ${contacts.map(({ identified_at }) => identified_at)}::timestamptz[], ${sourceArrays(contacts)})
      r (id, name, phone_number, whatsapp_user_id, username, identified_at, ${sourceColumns})
    where contacts.id = r.id
    returning ${qualifiedColumns}`

export const updateFirstNames = (tx: TenantTx, ids: string[], firstNames: string[]) =>
  tx.all(Contact)`
    update contacts set first_name = r.first_name, updated_at = now()
    from unnest(${ids}::uuid[], ${firstNames}::text[]) r (id, first_name)
    where contacts.id = r.id and contacts.first_name is null
    returning ${qualifiedColumns}`
