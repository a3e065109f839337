import type { TenantTx } from '../../../platform/database.ts'
import { sql } from '../../../platform/sql.ts'

/**
 * `= any(array(…))` is computed before the rows are looked up, so that row-level security allows the index; with `in (…)`
 * the planner reads all rows of the organization.
 */
const oldest = (oldestKept: string, limit: number) =>
  sql`id = any(array(select id from messages where id < ${oldestKept} order by id limit ${limit}))`

/** Contacts are locked before everything else, in the order of their ids, as by every other transaction. */
export const lockContactsOfOldMessages = (tx: TenantTx, oldestKept: string, limit: number) =>
  tx.run`
    select id from contacts
    where id = any(array(select contact_id from messages where ${oldest(oldestKept, limit)}))
    order by id for no key update`

/**
 * Deletes messages with their files, and the timeline entries of these contacts that quote messages as old. The counts of
 * tickets and timelines follow.
 */
export const deleteOldMessages = (tx: TenantTx, oldestKept: string, limit: number) =>
  tx.run`
    with removed as (
      delete from messages where ${oldest(oldestKept, limit)}
      returning id, contact_id, ticket_id, direction = 'inbound' and status = 'delivered' as is_unread
    ), tickets_changed as (
      update tickets set message_count = message_count - n, unread_count = greatest(0, unread_count - unread)
      from (select ticket_id, count(*) as n, count(*) filter (where is_unread) as unread
        from removed where ticket_id is not null group by 1) gone
      where tickets.id = any(array(select ticket_id from removed)) and tickets.id = gone.ticket_id
    ), entries as (
      delete from activities where contact_id = any(array(select distinct contact_id from removed))
        and type in ('message_inbound', 'message_outbound') and id < ${oldestKept}
      returning contact_id, type
    ), timelines_changed as (
      update contacts set activity_counts = activity_counts || (
        select jsonb_object_agg(key, (activity_counts ->> key)::integer - value::integer) from jsonb_each_text(gone.counts))
      from (select contact_id, jsonb_object_agg(type, n) as counts
        from (select contact_id, type, count(*) as n from entries group by 1, 2) each group by 1) gone
      where contacts.id = any(array(select contact_id from entries)) and contacts.id = gone.contact_id
    )
    select from removed`

/** Detaches files and schedules them for removal; their messages stay. */
export const detachOldMedia = (tx: TenantTx, oldestKept: string, limit: number) =>
  tx.run`
    with old as (
      select id, file_key from message_media where file_key is not null and id < ${oldestKept}
      order by id limit ${limit} for update skip locked
    ), removed as (
      insert into removed_files (key) select file_key from old on conflict do nothing
    )
    update message_media media set state = 'failed', error = 'it was deleted at the end of its retention',
      file_key = null, file_name = null, size_bytes = null, sha256 = null
    from old where media.id = old.id`
