import Type from 'typebox'
import type { TenantSql, TenantTx } from '../../../platform/database.ts'
import { sql } from '../../../platform/sql.ts'
import { Activity } from './schema.ts'

const activityColumns = sql`id, organization_id, contact_id, type, actor_type, actor_id, payload, livemode, created_at`

const TimelineRow = Type.Unsafe<Activity & { activity_counts: Record<string, number> }>({})

/**
 * A range of the timeline, with the contact's counts on each row. No row means that the contact does not exist. The ids
 * come from the index alone, so a deep offset reads no activities that it does not return.
 */
export function listActivities(
  tx: TenantSql,
  contactId: string,
  { types, limit, offset }: { types: string[] | undefined; limit: number; offset: number },
) {
  const ofContact = sql`select id from activities where contact_id = ${contactId}`
  // Each type is read from its own range of the index: other types in between cost nothing.
  const ofTypes = sql`select newest.id from unnest(${types ?? []}::text[]) wanted (type) cross join lateral (
    ${ofContact} and type = wanted.type order by id desc limit ${limit + offset}) newest`
  const ids = types === undefined ? ofContact : ofTypes
  // The counts of the contact include what a member with limited access does not see.
  const seen = sql`coalesce((select jsonb_object_agg(type, n) from (
    select type, count(*) as n from activities where contact_id = contacts.id group by type) counted), '{}') as activity_counts`
  return tx.all(TimelineRow)`
    select page.*, contact.activity_counts from
      (select ${tx.isLimited ? seen : sql`activity_counts`} from contacts where id = ${contactId}) contact
      left join lateral (
        select ${activityColumns} from activities where id in (${ids} order by id desc limit ${limit} offset ${offset})
        order by id desc
      ) page on true`
}

type NewActivityRow = Pick<Activity, 'id' | 'contact_id' | 'type' | 'actor_type' | 'actor_id' | 'payload'>

export const insertActivity = (tx: TenantTx, activity: NewActivityRow) =>
  tx.one(Activity)`
    insert into activities (id, contact_id, type, actor_type, actor_id, payload)
    values (${activity.id}, ${activity.contact_id}, ${activity.type}, ${activity.actor_type}, ${activity.actor_id},
      ${activity.payload})
    returning ${activityColumns}`

export const touchContact = (tx: TenantTx, contactId: string, type: string) =>
  tx.run`
    update contacts set last_activity_at = now(),
      activity_counts = activity_counts
        || jsonb_build_object(${type}::text, coalesce((activity_counts ->> ${type})::integer, 0) + 1)
    where id = ${contactId}`

export const updateActivityPayload = (tx: TenantTx, id: string, payload: Activity['payload']) =>
  tx.run`update activities set payload = ${payload} where id = ${id}`

export const deleteActivities = (tx: TenantTx, ids: string[]) =>
  tx.run`
    with gone as (delete from activities where id = any(${ids}::uuid[]) returning contact_id, type),
    counted as (
      select contact_id, jsonb_object_agg(type, n) as counts
      from (select contact_id, type, count(*) as n from gone group by contact_id, type) each group by contact_id
    )
    update contacts set activity_counts = activity_counts || (
      select jsonb_object_agg(key, (activity_counts ->> key)::integer - value::integer) from jsonb_each_text(counted.counts))
    from counted where contacts.id = counted.contact_id`

/** Inserts a set of activities and updates the counts of their contacts, in one statement. */
export const insertActivities = (tx: TenantTx, rows: NewActivityRow[]) =>
  tx.run`
    with added as (
      insert into activities (id, contact_id, type, actor_type, actor_id, payload)
      select * from rows from (unnest(
        ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ contact_id }) => contact_id)}::uuid[],
        ${rows.map(({ type }) => type)}::text[], ${rows.map(({ actor_type }) => actor_type)}::text[],
        ${rows.map(({ actor_id }) => actor_id)}::uuid[]),
        jsonb_array_elements(${JSON.stringify(rows.map(({ payload }) => payload))}::jsonb))
      returning contact_id, type
    ), counted as (
      select contact_id, jsonb_object_agg(type, n) as counts
      from (select contact_id, type, count(*) as n from added group by contact_id, type) each group by contact_id
    )
    update contacts set last_activity_at = now(), activity_counts = activity_counts || (
      select jsonb_object_agg(key, value::integer + coalesce((activity_counts ->> key)::integer, 0))
      from jsonb_each_text(counted.counts))
    from counted where contacts.id = counted.contact_id`
