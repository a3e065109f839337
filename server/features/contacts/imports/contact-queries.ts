import Type from 'typebox'
import type { TenantTx } from '../../../platform/database.ts'
import { sql } from '../../../platform/sql.ts'
import { columns, qualifiedColumns } from '../queries.ts'
import { Contact } from '../schema.ts'
import type { ImportedContact } from './read-row.ts'

const Id = Type.Object({ id: Type.String() })

/** PostgreSQL unnests nested arrays completely, so each list of tags travels as one value. */
const tagsValue = (tags: string[]) => `{${tags.map((tag) => `"${tag.replace(/["\\]/g, '\\$&')}"`).join(',')}}`

/**
 * An id with the contact's own time and a random end. Passing ids in would need a join, which a cached plan that
 * expects few rows does row by row.
 */
const siblingId = sql`(left(id::text, 24) || right(gen_random_uuid()::text, 12))::uuid`

/**
 * Contacts with their first activities and events, in one statement; those whose number is taken are left out. In the
 * order of their numbers, so that parallel imports cannot deadlock. The event is spelled out because `to_jsonb` of the
 * row, with three equal times to format, takes half as long again.
 */
export const insertImported = (tx: TenantTx, rows: (ImportedContact & { id: string })[], eventType: string) =>
  tx.all(Id)`
    with given as (
      select * from unnest(
        ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ phone_number }) => phone_number)}::text[],
        ${rows.map(({ name = '' }) => name)}::text[],
        ${rows.map(({ first_name = null }) => first_name)}::text[],
        ${rows.map(({ tags = [] }) => tagsValue(tags))}::text[], ${rows.map(({ notes = '' }) => notes)}::text[],
        ${rows.map(({ custom_fields = {} }) => JSON.stringify(custom_fields))}::jsonb[],
        ${rows.map(({ stage = 'new' }) => stage)}::text[],
        ${rows.map(({ ai_handling = true }) => ai_handling)}::boolean[],
        ${rows.map(({ opted_out_at = null }) => opted_out_at)}::timestamptz[],
        ${rows.map(({ time_zone = null }) => time_zone)}::text[]
      ) r (id, phone_number, name, first_name, tags, notes, custom_fields, stage, ai_handling, opted_out_at, time_zone)
    ), created as (
      insert into contacts (id, phone_number, name, first_name, tags, notes, custom_fields, stage, ai_handling,
        opted_out_at, time_zone, last_activity_at, activity_counts)
      select id, phone_number, name, first_name, tags::text[], notes, custom_fields, stage, ai_handling, opted_out_at,
        time_zone, now(), '{"contact_created": 1}'
      from given where not exists (
        select from contact_identities i where i.kind = 'phone' and i.value = given.phone_number and i.until is null)
      order by phone_number
      on conflict (organization_id, livemode, phone_number) where phone_number <> '' do nothing
      returning ${columns}
    ), activity as (
      insert into activities (id, contact_id, type, actor_type)
      select ${siblingId}, id, 'contact_created', 'system' from created
    ), event as (
      insert into events (id, type, data)
      select ${siblingId}, ${eventType}, jsonb_build_object('object', jsonb_build_object(
        'id', id, 'organization_id', organization_id, 'phone_number', phone_number, 'name', name, 'first_name', first_name,
        'tags', tags, 'notes', notes, 'custom_fields', custom_fields, 'stage', stage, 'ai_handling', ai_handling,
        'last_activity_at', moment, 'opted_out_at', iso(opted_out_at), 'blocked_at', null, 'whatsapp_user_id', whatsapp_user_id,
        'username', username, 'time_zone', time_zone, 'source_type', source_type, 'source_id', source_id,
        'source_headline', source_headline, 'source_url', source_url, 'source_at', source_at, 'livemode', livemode,
        'created_at', moment, 'updated_at', moment))
      from created, (select iso(now()::timestamptz(3)) as moment offset 0) now
    )
    select id from created`

const Owner = Type.Object({ ...Contact.properties, value: Type.String() })

/** The contacts that have these numbers, each with the number it was found by. */
export const lockContactsByPhone = (tx: TenantTx, phones: string[]) =>
  tx.all(Owner)`
    select ${qualifiedColumns}, i.value from contact_identities i
      join contacts on contacts.organization_id = i.organization_id and contacts.livemode = i.livemode
        and contacts.id = i.contact_id
    where i.kind = 'phone' and i.value = any(${phones}) and i.until is null
    order by i.value for update of contacts`

/** Writes contacts as they should be; some have an activity to come in this transaction. */
export const updateImported = (tx: TenantTx, contacts: (Contact & { isActive: boolean })[]) =>
  tx.all(Contact)`
    update contacts set name = r.name, first_name = r.first_name, tags = r.tags::text[], notes = r.notes,
      custom_fields = r.custom_fields, stage = r.stage, ai_handling = r.ai_handling, opted_out_at = r.opted_out_at,
      time_zone = r.time_zone, updated_at = now(),
      last_activity_at = case when r.is_active then now() else contacts.last_activity_at end
    from unnest(
      ${contacts.map(({ id }) => id)}::uuid[], ${contacts.map(({ name }) => name)}::text[],
      ${contacts.map(({ first_name }) => first_name)}::text[],
      ${contacts.map(({ tags }) => tagsValue(tags))}::text[], ${contacts.map(({ notes }) => notes)}::text[],
      ${contacts.map(({ custom_fields }) => JSON.stringify(custom_fields))}::jsonb[],
      ${contacts.map(({ stage }) => stage)}::text[], ${contacts.map(({ ai_handling }) => ai_handling)}::boolean[],
      ${contacts.map(({ opted_out_at }) => opted_out_at)}::timestamptz[],
      ${contacts.map(({ time_zone }) => time_zone)}::text[],
      ${contacts.map(({ isActive }) => isActive)}::boolean[]
    ) r (id, name, first_name, tags, notes, custom_fields, stage, ai_handling, opted_out_at, time_zone, is_active)
    where contacts.id = r.id
    returning ${qualifiedColumns}`
