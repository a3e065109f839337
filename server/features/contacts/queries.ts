import type { TenantSql, TenantTx } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import { Contact, type ContactSource } from './schema.ts'

export const columns = sql`id, organization_id, phone_number, name, first_name, tags, notes, custom_fields, stage, ai_handling,
  last_activity_at, opted_out_at, blocked_at, whatsapp_user_id, username, time_zone, source_type, source_id, source_headline,
  source_url, source_at, livemode, created_at, updated_at`

export const qualifiedColumns = sql`contacts.id, contacts.organization_id, contacts.phone_number, contacts.name,
  contacts.first_name, contacts.tags, contacts.notes, contacts.custom_fields, contacts.stage, contacts.ai_handling,
  contacts.last_activity_at, contacts.opted_out_at, contacts.blocked_at, contacts.whatsapp_user_id, contacts.username,
  contacts.time_zone, contacts.source_type, contacts.source_id, contacts.source_headline, contacts.source_url,
  contacts.source_at, contacts.livemode, contacts.created_at, contacts.updated_at`

export const stageOf = (stage: string): Contact['stage'] => (stage === 'customers' ? 'customer' : stage) as never

export const findContact = (tx: TenantSql, id: string) =>
  tx.maybe(Contact)`select ${columns} from contacts where id = ${id}`

export const lockContact = (tx: TenantTx, id: string) =>
  tx.maybe(Contact)`select ${columns} from contacts where id = ${id} for update`

/** The contact that has the number now, as its primary one or besides. */
const ownerOf = (phoneNumber: string) => sql`
  select contact_id from contact_identities where kind = 'phone' and value = ${phoneNumber} and until is null`

export const findContactByPhone = (tx: TenantSql, phoneNumber: string) =>
  tx.maybe(Contact)`select ${columns} from contacts where id = (${ownerOf(phoneNumber)})`

export const lockContactByPhone = (tx: TenantTx, phoneNumber: string) =>
  tx.maybe(Contact)`select ${columns} from contacts where id = (${ownerOf(phoneNumber)}) for update`

export const updateContactRow = (tx: TenantTx, contact: Contact, { isActive }: { isActive: boolean }) =>
  tx.one(Contact)`
    update contacts set
      phone_number = ${contact.phone_number}, identified_at = null,
      name = ${contact.name}, first_name = ${contact.first_name},
      tags = ${contact.tags}, notes = ${contact.notes},
      custom_fields = ${contact.custom_fields}, stage = ${contact.stage}, ai_handling = ${contact.ai_handling},
      time_zone = ${contact.time_zone},
      last_activity_at = case when ${isActive} then now() else last_activity_at end, updated_at = now()
    where id = ${contact.id}
    returning ${columns}`

export const setBlocked = (tx: TenantTx, id: string, isBlocked: boolean) =>
  tx.one(Contact)`
    update contacts set blocked_at = case when ${isBlocked} then now() end, updated_at = now() where id = ${id}
    returning ${columns}`

export const deleteContactRow = (tx: TenantTx, id: string) =>
  tx.maybe(Contact)`delete from contacts where id = ${id} returning ${columns}`

/** The contact, its first activity and its event, in one statement; no row when the number is taken. */
export const insertContact = (
  tx: TenantSql,
  contact: Omit<
    Contact,
    | 'organization_id'
    | 'livemode'
    | 'created_at'
    | 'updated_at'
    | 'last_activity_at'
    | 'opted_out_at'
    | 'whatsapp_user_id'
    | 'username'
    | keyof ContactSource
    | 'blocked_at'
  >,
  {
    activityId,
    eventId,
    actor,
    eventType,
  }: { activityId: string; eventId: string; actor: { type: string; id: string | null }; eventType: string },
) =>
  tx.maybe(Contact)`
    with created as (
      insert into contacts
        (id, phone_number, name, first_name, tags, notes, custom_fields, stage, ai_handling, time_zone, last_activity_at,
          activity_counts)
      select ${contact.id}::uuid, ${contact.phone_number}, ${contact.name}, ${contact.first_name}, ${contact.tags}::text[],
        ${contact.notes}, ${contact.custom_fields}::jsonb, ${contact.stage}, ${contact.ai_handling}::boolean,
        ${contact.time_zone}, now(), '{"contact_created": 1}'
      where not exists (${ownerOf(contact.phone_number)})
      on conflict (organization_id, livemode, phone_number) where phone_number <> '' do nothing
      returning ${columns}
    ), activity as (
      insert into activities (id, contact_id, type, actor_type, actor_id)
      select ${activityId}, id, 'contact_created', ${actor.type}, ${actor.id}::uuid from created
    ), event as (
      insert into events (id, type, data)
      select ${eventId}, ${eventType}, jsonb_build_object('object', to_jsonb(created) || jsonb_build_object(
        'created_at', iso(created_at), 'updated_at', iso(updated_at), 'last_activity_at', iso(last_activity_at)))
      from created
    )
    select ${columns} from created`
