import Type from 'typebox'
import type { TenantSql, TenantTx } from '../../platform/database.ts'
import { beforeEverything, idsBefore, rowsBeyond } from '../../platform/http/pagination.ts'
import { lowestId } from '../../platform/ids.ts'
import { Id } from '../../platform/schemas.ts'
import { type Fragment, joinSql, sql } from '../../platform/sql.ts'
import {
  Activity,
  Contact,
  type ContactFilter,
  type ContactSource,
  type ListedContact,
  stages,
  TagCount,
  type TagFilter,
} from './schema.ts'
import { searchPatterns } from './search-patterns.ts'

export const columns = sql`id, organization_id, phone_number, name, first_name, tags, notes, custom_fields, stage, ai_handling,
  last_activity_at, opted_out_at, blocked_at, whatsapp_user_id, username, time_zone, source_type, source_id, source_headline,
  source_url, source_at, livemode, created_at, updated_at`

/** A row of a page with the total; its columns are null when the page is empty. */
const ContactRow = Type.Unsafe<ListedContact & { total_count: number }>({})

/** The channels that an agent answers now, read once per statement. */
const answering = sql`(select answering_channels(current_organization(), current_livemode()))::uuid[]`

const Answering = Type.Object({ channels: Type.Array(Id) })

export const findAnsweringChannels = async (tx: TenantSql): Promise<string[]> =>
  (await tx.one(Answering)`select ${answering} as channels`).channels

/** Who answers the contact now. The conditions are those of `unattended_contacts`, for a few contacts. */
export function handledBy({ isLimited }: TenantSql): Fragment {
  const isUnattended = isLimited
    ? sql`is_unattended(contacts.id, ${answering})`
    : sql`exists (select from tickets where tickets.contact_id = contacts.id and tickets.status = 'open'
        and coalesce(tickets.channel_id <> all (${answering}), true))`
  return sql`case when not contacts.ai_handling then 'person'
    when ${answering} = '{}' or ${isUnattended} then 'no_one' else 'ai' end as handled_by`
}

/** What `handled_by` of a filter means at the moment. */
export interface ContactConditions extends Omit<ContactFilter, 'limit' | 'handled_by'> {
  /** Whether an agent answers in all open conversations of the contact. */
  attended?: boolean
  /** The channels that an agent answers, if not those of now. */
  answering?: readonly string[] | undefined
  /** No contact matches. */
  none?: true
}

type PageConditions = ContactConditions & Pick<ContactFilter, 'limit'>

/** The columns of a page, with those that the filter includes. */
const listed = (tx: TenantSql, { include }: PageConditions, all: Fragment): Fragment =>
  include === undefined ? all : sql`${all}, ${handledBy(tx)}`

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

/**
 * A page and its total, newest first, in one statement. The total comes from counters; only contacts of a source, those
 * that no agent answers, or those of a tag with other filters are counted, by an index.
 */
export function listContacts(tx: TenantSql, filter: PageConditions) {
  const { tag, limit, starting_after: cursor } = filter
  if (filter.search) return searchContacts(tx, filter, filter.search)
  if (filter.sort !== undefined && filter.sort !== '-created_at') return sortContacts(tx, filter, filter.sort)
  const conditions = filterConditions(filter)
  if (tag === undefined)
    return tx.all(ContactRow)`
      select page.*, total_count from (${totalOf(filter)}) total
        left join lateral (
          select ${listed(tx, filter, columns)} from contacts where ${idsBefore(cursor)} and ${conditions} order by id desc limit ${rowsBeyond(limit)}
        ) page on true
      order by page.id desc`
  const tagged = sql`contact_tags t join contacts on contacts.id = t.contact_id
    and contacts.organization_id = t.organization_id and contacts.livemode = t.livemode
    where t.tag = ${tag} and ${conditions}`
  const { stage, ai_handling, opted_out, source_type, source_id, attended } = filter
  const isFiltered = [stage, ai_handling, opted_out, source_type, source_id, attended].some(
    (each) => each !== undefined,
  )
  const total = isFiltered
    ? sql`select count(*) as total_count from ${tagged}`
    : sql`select coalesce(sum(n), 0)::bigint as total_count from contact_tag_counts where tag = ${tag}`
  return tx.all(ContactRow)`
    select page.*, total_count from (${total}) total
      left join lateral (
        select ${listed(tx, filter, qualifiedColumns)} from ${tagged} and ${cursor === undefined ? sql`true` : sql`t.contact_id < ${cursor}`}
        order by t.contact_id desc limit ${rowsBeyond(limit)}
      ) page on true
    order by page.id desc`
}

/** The most used first; read from counters, so the number of contacts does not matter. */
export const listTags = (tx: TenantSql, { search = '', limit }: TagFilter) =>
  tx.all(TagCount)`
    select tag, sum(n)::bigint as contacts from contact_tag_counts
    where strpos(lower(tag), lower(${search.trim()})) > 0 or ${search.trim()} = ''
    group by tag having sum(n) > 0 order by contacts desc, tag limit ${limit}`

export const qualifiedColumns = sql`contacts.id, contacts.organization_id, contacts.phone_number, contacts.name,
  contacts.first_name, contacts.tags, contacts.notes, contacts.custom_fields, contacts.stage, contacts.ai_handling,
  contacts.last_activity_at, contacts.opted_out_at, contacts.blocked_at, contacts.whatsapp_user_id, contacts.username,
  contacts.time_zone, contacts.source_type, contacts.source_id, contacts.source_headline, contacts.source_url,
  contacts.source_at, contacts.livemode, contacts.created_at, contacts.updated_at`

export function filterConditions(filter: ContactConditions): Fragment {
  const { stage, ai_handling, attended, none, opted_out, source_type, source_id } = filter
  const conditions: Fragment[] = []
  if (stage !== undefined) conditions.push(sql`stage = ${stageOf(stage)}`)
  if (ai_handling !== undefined) conditions.push(sql`ai_handling = ${ai_handling}`)
  if (opted_out !== undefined) conditions.push(opted_out ? sql`opted_out_at is not null` : sql`opted_out_at is null`)
  if (source_type !== undefined) conditions.push(sql`source_type = ${source_type}`)
  if (source_id !== undefined) conditions.push(sql`source_id = ${source_id}`)
  if (attended !== undefined) conditions.push(attended ? sql`not ${isUnattended(filter)}` : isUnattended(filter))
  if (none) conditions.push(sql`false`)
  return joinSql(conditions, ' and ', sql`true`)
}

/** A caller that gives the channels sees all tickets; `unattended_contacts` also serves members with limited access. */
const isUnattended = ({ answering: channels }: ContactConditions): Fragment =>
  channels === undefined
    ? sql`(contacts.id in (select unattended_contacts()))`
    : sql`exists (select from tickets t where t.contact_id = contacts.id and t.status = 'open' and t.ai_handling
        and coalesce(t.channel_id <> all (${channels}::uuid[]), true))`

/** The total without a tag. */
function totalOf(filter: ContactConditions): Fragment {
  const { attended, source_type, source_id } = filter
  if (source_type !== undefined || source_id !== undefined || attended === false)
    return sql`select count(*) as total_count from contacts where ${filterConditions(filter)}`
  const all = sql`select coalesce(sum(n), 0)::bigint as total_count from contact_counts where ${counterConditions(filter)}`
  // Few contacts are not attended to; those are counted and taken off.
  return attended === undefined
    ? all
    : sql`select (${all}) - (${totalOf({ ...filter, attended: false })}) as total_count`
}

function counterConditions({ stage, ai_handling, opted_out }: ContactConditions): Fragment {
  const conditions: Fragment[] = []
  if (stage !== undefined) conditions.push(sql`stage = ${stageOf(stage)}`)
  if (ai_handling !== undefined) conditions.push(sql`ai_handling = ${ai_handling}`)
  if (opted_out !== undefined) conditions.push(sql`opted_out = ${opted_out}`)
  return joinSql(conditions, ' and ', sql`true`)
}

export const stageOf = (stage: string): Contact['stage'] => (stage === 'customers' ? 'customer' : stage) as never

/**
 * A page in another order. The cursor's own values are looked up: the next page continues at the same place, also after
 * changes.
 */
function sortContacts(tx: TenantSql, filter: PageConditions, sort: NonNullable<ContactFilter['sort']>) {
  const { tag, limit, starting_after: cursor } = filter
  const column = sort.replace('-', '') as 'name' | 'phone_number' | 'stage' | 'last_activity_at' | 'created_at'
  const isDown = sort.startsWith('-')
  const order = isDown
    ? { direction: sql`desc`, isBehind: sql`<`, before: beforeEverything }
    : { direction: sql`asc`, isBehind: sql`>`, before: lowestId }
  const tagged =
    tag === undefined ? sql`true` : sql`contacts.id in (select contact_id from contact_tags where tag = ${tag})`
  const conditions = sql`${filterConditions(filter)} and ${tagged}`
  const total =
    tag === undefined ? totalOf(filter) : sql`select count(*) as total_count from contacts where ${conditions}`
  const wanted = listed(tx, filter, qualifiedColumns)
  const range = { ...order, isDown, wanted, conditions, cursor, most: rowsBeyond(limit) }
  const rows = {
    name: () => rangeByKey(column, filter, range),
    last_activity_at: () => rangeByKey(column, filter, range),
    stage: () => rangeByStage(range),
    phone_number: () => rangeByPhone(range),
    created_at: () => rangeById(range),
  }[column]()
  return tx.all(ContactRow)`
    select page.*, total_count from (${total}) total left join lateral (${rows}) page on true
    order by page.position`
}

interface SortedRange {
  /** The columns to select. */
  wanted: Fragment
  isDown: boolean
  direction: Fragment
  isBehind: Fragment
  /** An id that comes before every other one in this direction. */
  before: string
  conditions: Fragment
  cursor: string | undefined
  most: Fragment
}

function rangeById({ wanted, direction, isBehind, conditions, cursor, most }: SortedRange): Fragment {
  const behind = cursor === undefined ? sql`true` : sql`contacts.id ${isBehind} ${cursor}::uuid`
  return sql`
    select ${wanted}, row_number() over (order by contacts.id ${direction}) as position
    from contacts where ${conditions} and ${behind} order by contacts.id ${direction} limit ${most}`
}

/**
 * By an expression. Under row-level security PostgreSQL compares expressions that are not leakproof after reading the
 * row: a page would read all rows before its cursor. The function reads as a role that sees every row.
 */
const rangeByKey = (
  column: string,
  filter: PageConditions,
  { wanted, isDown, cursor, most }: SortedRange,
): Fragment => sql`
    select ${wanted}, sorted.place as position
    from sort_contacts(${column}, ${isDown}, ${cursor ?? null}, ${jsonFilters(filter)}, ${most}) sorted
      join contacts on contacts.id = sorted.id`

/** Contacts without a number come before the others. Each of the two has an index of its own. */
function rangeByPhone({ wanted, direction, isBehind, conditions, cursor, most }: SortedRange): Fragment {
  const ofCursor = sql`(select phone_number from contacts where id = ${cursor})`
  const isFirst = cursor === undefined ? sql`true` : sql`phone_number ${isBehind} ${ofCursor}`
  // If the cursor has a number, all contacts without one are behind it in descending order, and none is in ascending.
  const isFirstWithout =
    cursor === undefined
      ? sql`true`
      : sql`id ${isBehind} case when ${ofCursor} = '' then ${cursor}::uuid when ${ofCursor} <> '' then ${beforeEverything}::uuid end`
  const order = sql`contacts.phone_number ${direction}, contacts.id ${direction}`
  return sql`
    select ${wanted}, row_number() over (order by ${order}) as position from (
      (select * from contacts where phone_number = '' and ${conditions} and ${isFirstWithout}
        order by id ${direction} limit ${most})
      union all
      (select * from contacts where phone_number <> '' and ${conditions} and ${isFirst}
        order by phone_number ${direction} limit ${most})) contacts
    order by ${order} limit ${most}`
}

/**
 * In the order in which contacts go through the stages. A range of the index for each stage: at most as many rows as
 * the page has are read of each.
 */
function rangeByStage({ wanted, direction, isBehind, before, conditions, cursor, most }: SortedRange): Fragment {
  const place = sql`array_position(${[...stages]}::text[], stage)`
  const ofCursor = sql`(select ${place} from contacts where id = ${cursor})`
  const isReached = cursor === undefined ? sql`true` : sql`(s.place = ${ofCursor} or s.place ${isBehind} ${ofCursor})`
  // One comparison, so that it is a range of the index. The other stages begin with their first row.
  const behind =
    cursor === undefined
      ? sql`true`
      : sql`contacts.id ${isBehind} case when s.place = ${ofCursor} then ${cursor}::uuid else ${before}::uuid end`
  return sql`
    select ${wanted}, row_number() over (order by s.place ${direction}, contacts.id ${direction}) as position
    from unnest(${[...stages]}::text[]) with ordinality s (stage, place) cross join lateral (
      select * from contacts where contacts.stage = s.stage and ${conditions} and ${behind}
      order by contacts.id ${direction} limit ${most}) contacts
    where ${isReached}
    order by s.place ${direction}, contacts.id ${direction} limit ${most}`
}

/** The filters as `search_contacts` and `sort_contacts` take them. */
function jsonFilters({ stage, ...others }: ContactConditions): Record<string, unknown> {
  const filters: Record<string, unknown> = { ...(stage && { stage: stageOf(stage) }) }
  for (const name of ['ai_handling', 'attended', 'opted_out', 'tag', 'source_type', 'source_id'] as const)
    if (others[name] !== undefined) filters[name] = others[name]
  return filters
}

function searchContacts(tx: TenantSql, filter: PageConditions, search: string) {
  const { limit, starting_after: before = beforeEverything } = filter
  return tx.all(ContactRow)`
    select page.*, total as total_count
    from search_contacts(${searchPatterns(search)}, ${jsonFilters(filter)}, ${before}, ${limit + 1}) found
      left join lateral (select ${listed(tx, filter, columns)} from contacts where contacts.id = found.id) page on true
    order by page.id desc`
}

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
