import Type from 'typebox'
import type { TenantSql, TenantTx } from '../../../platform/database.ts'
import type { MergedPair } from '../../../platform/personal-data.ts'
import { Id } from '../../../platform/schemas.ts'
import { Fragment, joinSql, sql } from '../../../platform/sql.ts'
import { columns } from '../queries.ts'
import { Contact } from '../schema.ts'

const MergedInto = Type.Object({ merged_into: Id })

export const findMergedInto = (tx: TenantSql, id: string) =>
  tx.maybe(MergedInto)`select merged_into from merged_contacts where id = ${id}`

const MergedId = Type.Object({ id: Id })

export const listMergedIds = (tx: TenantSql, contactId: string) =>
  tx.all(MergedId)`select id from merged_contacts where merged_into = ${contactId} order by id`

/** In the order of ids, like every other transaction. */
export const lockPair = (tx: TenantTx, { from, into }: MergedPair) =>
  tx.all(Contact)`
    select ${columns} from contacts where id = any(${[from, into]}::uuid[]) order by id for update`

/** Tables are named by code alone. */
export const moveRows = (tx: TenantTx, table: string, { from, into }: MergedPair) =>
  tx.run`update ${new Fragment([table], [])} set contact_id = ${into} where contact_id = ${from}`

/** A number or account of both, past for one of them, is current. None of the moved ones is the primary one. */
export const moveIdentities = (tx: TenantTx, { from, into }: MergedPair) =>
  tx.run`
    with moved as (delete from contact_identities where contact_id = ${from} returning kind, value, since, until)
    insert into contact_identities as i (contact_id, kind, value, since, until)
    select ${into}, kind, value, since, case when kind = 'username' then coalesce(until, now()) else until end from moved
    on conflict (organization_id, livemode, contact_id, kind, value) do update set since = least(i.since, excluded.since),
      until = case when i.until is not null and excluded.until is not null then greatest(i.until, excluded.until) end`

/** Both came from ads: the first of them is the source. */
const earlierSource = joinSql(
  [sql`source_type`, sql`source_id`, sql`source_headline`, sql`source_url`, sql`source_at`].map(
    (column) =>
      sql`${column} = case when other.source_at < c.source_at or c.source_at is null then other.${column} else c.${column} end`,
  ),
  ', ',
)

/**
 * Deletes the contact that is merged and adds to the other one what it lacks. The stricter consent counts: opted out
 * stays opted out, blocked stays blocked, and a person's conversation is not the AI's. `tags` and `custom_fields` were merged by the caller.
 */
export const joinContacts = (
  tx: TenantTx,
  { from, into }: MergedPair,
  joined: Pick<Contact, 'tags' | 'custom_fields'>,
) =>
  Promise.all([
    tx.run`
      update contacts c set activity_counts = c.activity_counts || (
          select coalesce(jsonb_object_agg(key, value::integer + coalesce((c.activity_counts ->> key)::integer, 0)), '{}')
          from jsonb_each_text(other.activity_counts)),
        opted_out_at = least(c.opted_out_at, other.opted_out_at), consent_at = greatest(c.consent_at, other.consent_at),
        blocked_at = least(c.blocked_at, other.blocked_at),
        last_activity_at = greatest(c.last_activity_at, other.last_activity_at),
        ai_handling = c.ai_handling and other.ai_handling, name = coalesce(nullif(c.name, ''), other.name),
        first_name = case c.name when '' then coalesce(c.first_name, other.first_name) else c.first_name end,
        time_zone = coalesce(c.time_zone, other.time_zone), ${earlierSource},
        notes = coalesce(nullif(c.notes, ''), other.notes), tags = ${joined.tags}, custom_fields = ${joined.custom_fields},
        updated_at = now()
      from contacts other where c.id = ${into} and other.id = ${from}`,
    tx.run`update merged_contacts set merged_into = ${into} where merged_into = ${from}`,
    tx.run`insert into merged_contacts (id, merged_into) values (${from}, ${into})`,
  ])

/** The numbers and accounts of a deleted contact are free: the other one takes those that it lacks. */
export const adoptAddresses = (tx: TenantTx, into: string, other: Contact) =>
  tx.one(Contact)`
    update contacts set phone_number = coalesce(nullif(phone_number, ''), ${other.phone_number}),
      whatsapp_user_id = coalesce(whatsapp_user_id, ${other.whatsapp_user_id}),
      username = coalesce(username, ${other.username})
    where id = ${into}
    returning ${columns}`
