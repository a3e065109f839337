import Type, { type Static } from 'typebox'
import type { SystemSql, SystemTx, TenantSql, TenantTx } from '../../platform/database.ts'
import { beforeEverything } from '../../platform/http/pagination.ts'
import type { MergedPair } from '../../platform/personal-data.ts'
import { Id, Nullable } from '../../platform/schemas.ts'
import { type Fragment, sql } from '../../platform/sql.ts'
import { Role, Scope } from '../organizations/schema.ts'
import { isQuiet } from './quiet-hours.ts'
import { Notification, type NotificationFilter, type NotificationKind, Preferences } from './schema.ts'

/** The contact's name and the text of the notification `n`: of a mention the last note that mentions the member. */
export const nameAndPreview = sql`
  (select coalesce(nullif(c.name, ''), nullif(c.phone_number, ''), nullif(c.username, ''), 'Unknown contact')
    from tickets t join contacts c on c.id = t.contact_id and c.organization_id = t.organization_id
      and c.livemode = t.livemode
    where t.id = n.ticket_id and t.organization_id = n.organization_id and t.livemode = n.livemode) as contact_name,
  case when n.kind = 'mention' then coalesce((select left(note.body, 120) from ticket_notes note
    where note.organization_id = n.organization_id and note.livemode = n.livemode and note.ticket_id = n.ticket_id
      and n.user_id = any(note.mentioned_ids)
    order by note.id desc limit 1), 'Note changed or deleted')
  else coalesce((select case when m.revoked_at is not null then 'Message deleted' when m.body <> '' then left(m.body, 120)
      when m.message_type = 'audio' then 'Voice message' else initcap(m.message_type) end from messages m
    where m.organization_id = n.organization_id and m.livemode = n.livemode and m.ticket_id = n.ticket_id
    order by m.created_at desc, m.id desc limit 1), '') end as preview`

const columns = sql`n.id, n.organization_id, n.kind, n.ticket_id, n.count, n.read_at, n.livemode, n.created_at,
  ${nameAndPreview}`

const Row = Type.Unsafe<Notification & { total_count: number; unread_count: number }>({})

/** Whether the member has read it, as the filter wants. */
const isRead = (unread: boolean | undefined): Fragment =>
  unread === undefined ? sql`true` : unread ? sql`read_at is null` : sql`read_at is not null`

/** A page with both totals; its other columns are null when the page is empty. */
export const listNotifications = (
  tx: TenantSql,
  userId: string,
  { limit, starting_after: before = beforeEverything, unread }: NotificationFilter,
) =>
  tx.all(Row)`
    select page.*, total_count, unread_count from (
        select count(*) filter (where ${isRead(unread)}) as total_count,
          count(*) filter (where read_at is null) as unread_count
        from notifications where user_id = ${userId}) total
      left join lateral (
        select ${columns} from notifications n
        where n.user_id = ${userId} and n.id < ${before} and ${isRead(unread)}
        order by n.id desc limit ${limit + 1}
      ) page on true
    order by page.id desc`

const Unread = Type.Object({ unread_count: Type.Integer() })

export const countUnread = (tx: TenantSql, userId: string) =>
  tx.one(Unread)`
    select count(*)::integer as unread_count from notifications where user_id = ${userId} and read_at is null`

export const markAllRead = (tx: TenantTx, userId: string, ticketId: string | null) =>
  tx.run`
    update notifications set read_at = now()
    where user_id = ${userId} and read_at is null and (${ticketId}::uuid is null or ticket_id = ${ticketId})`

export const markRead = (tx: TenantTx, userId: string, id: string) =>
  tx.maybe(Notification)`
    update notifications n set read_at = coalesce(n.read_at, now()) where n.user_id = ${userId} and n.id = ${id}
    returning ${columns}`

const Claim = Type.Object({ is_first: Type.Boolean(), is_quiet: Type.Boolean() })

/**
 * One statement, so that only one of two devices gets `is_first`. Neither does if the member has read the notification
 * or has none with this id.
 */
export const claimAlert = (tx: TenantTx, userId: string, id: string) =>
  tx.one(Claim)`
    with claimed as (
      update notifications set shown_at = now()
      where user_id = ${userId} and id = ${id} and shown_at is null and read_at is null
      returning id
    )
    select exists (select from claimed) as is_first, coalesce((
      select ${isQuiet} from notification_preferences p where p.user_id = ${userId}), false) as is_quiet`

const { email_available: _, push_public_key: __, ...preferenceProperties } = Preferences.properties
const StoredPreferences = Type.Object(preferenceProperties)
const preferenceColumns = sql`mine, mentions, unassigned, email_digest, time_zone,
  case when quiet_from is not null then json_build_object(
    'from', to_char(quiet_from, 'HH24:MI'), 'until', to_char(quiet_until, 'HH24:MI')) end as quiet_hours`

export const findPreferences = (tx: TenantSql, userId: string) =>
  tx.maybe(StoredPreferences)`select ${preferenceColumns} from notification_preferences where user_id = ${userId}`

/** A digest that is turned on begins with what comes from now on. */
export const savePreferences = (tx: TenantTx, userId: string, given: Preferences) =>
  tx.run`
    insert into notification_preferences as p
      (user_id, mine, mentions, unassigned, email_digest, quiet_from, quiet_until, time_zone)
    values (${userId}, ${given.mine}, ${given.mentions}, ${given.unassigned}, ${given.email_digest},
      ${given.quiet_hours?.from ?? null}::time, ${given.quiet_hours?.until ?? null}::time, ${given.time_zone})
    on conflict (organization_id, user_id) do update set mine = excluded.mine, mentions = excluded.mentions,
      unassigned = excluded.unassigned, email_digest = excluded.email_digest, quiet_from = excluded.quiet_from,
      quiet_until = excluded.quiet_until, time_zone = excluded.time_zone,
      digested_at = case when p.email_digest = 'off' then now() else p.digested_at end`

const TicketState = Type.Object({
  organization_id: Id,
  livemode: Type.Boolean(),
  ticket_id: Id,
  contact_id: Id,
  assignee_id: Nullable(Id),
  status: Type.String(),
  is_answered_by_ai: Type.Boolean(),
  /** Who last handed the contact off to a person: `ai`, `user` or `system`. */
  handed_off_by: Nullable(Type.String()),
})
export type TicketState = Static<typeof TicketState>

interface Subject {
  organizationId: string
  livemode: boolean
  /** A ticket, or a contact whose most recently active open ticket is meant. */
  id: string
}

/** The tickets with these ids, and the open ones of contacts with these ids. */
export const findTickets = (tx: SystemTx, subjects: Subject[]) =>
  tx.all(TicketState)`
    select t.organization_id, t.livemode, t.id as ticket_id, t.contact_id, t.assignee_id, t.status,
      c.ai_handling and exists (
        select from channels join agents a on a.organization_id = channels.organization_id
          and a.livemode = channels.livemode and a.id = channels.agent_id
        where channels.organization_id = t.organization_id and channels.livemode = t.livemode
          and channels.id = t.channel_id and channels.deleted_at is null and replies_now(a)
      ) as is_answered_by_ai,
      (select a.actor_type from activities a where a.organization_id = t.organization_id and a.livemode = t.livemode
        and a.contact_id = t.contact_id and a.type = 'handoff_to_human' order by a.id desc limit 1) as handed_off_by
    from unnest(${subjects.map(({ organizationId }) => organizationId)}::uuid[],
        ${subjects.map(({ livemode }) => livemode)}::boolean[], ${subjects.map(({ id }) => id)}::uuid[])
        given (organization_id, livemode, id)
      cross join lateral (
        select * from tickets where organization_id = given.organization_id and livemode = given.livemode
          and id = given.id
        union all
        (select * from tickets where organization_id = given.organization_id and livemode = given.livemode
          and contact_id = given.id and status = 'open' order by last_activity_at desc, id desc limit 1)
      ) t
      join contacts c on c.organization_id = t.organization_id and c.livemode = t.livemode and c.id = t.contact_id`

const Recipient = Type.Object({
  organization_id: Id,
  user_id: Id,
  role: Role,
  scopes: Nullable(Type.Array(Scope)),
  mine: Type.Boolean(),
  mentions: Type.Boolean(),
  unassigned: Type.Boolean(),
})
export type Recipient = Static<typeof Recipient>

export const findRecipients = (tx: SystemTx, organizationIds: string[]) =>
  tx.all(Recipient)`
    select m.organization_id, m.user_id, m.role, roles.scopes, coalesce(p.mine, true) as mine,
      coalesce(p.mentions, true) as mentions, coalesce(p.unassigned, true) as unassigned
    from members m
      left join roles on roles.organization_id = m.organization_id and roles.id = m.custom_role_id
      left join notification_preferences p on p.organization_id = m.organization_id and p.user_id = m.user_id
    where m.organization_id = any(${organizationIds}::uuid[])
    order by m.organization_id, m.user_id`

export interface NewNotification {
  organizationId: string
  livemode: boolean
  id: string
  userId: string
  kind: NotificationKind
  ticketId: string
  count: number
}

const Stored = Type.Object({ organization_id: Id, livemode: Type.Boolean(), id: Id, user_id: Id })

/**
 * Replaces an unread one of the same member, ticket and kind. The new id sorts it to the top. Members whose access does
 * not cover the ticket get none. Members and tickets that are being removed are waited for and then skipped: a
 * notification that refers to one of them would fail the whole batch.
 */
export const upsertNotifications = (tx: SystemTx, rows: NewNotification[]) =>
  tx.all(Stored)`
    with given as materialized (
      select given.* from unnest(${rows.map(({ organizationId }) => organizationId)}::uuid[],
          ${rows.map(({ livemode }) => livemode)}::boolean[], ${rows.map(({ id }) => id)}::uuid[],
          ${rows.map(({ userId }) => userId)}::uuid[], ${rows.map(({ kind }) => kind)}::text[],
          ${rows.map(({ ticketId }) => ticketId)}::uuid[], ${rows.map(({ count }) => count)}::integer[])
          given (organization_id, livemode, id, user_id, kind, ticket_id, count)
        join members m on m.organization_id = given.organization_id and m.user_id = given.user_id
        join tickets t on t.organization_id = given.organization_id and t.livemode = given.livemode
          and t.id = given.ticket_id
      where sees_ticket(given.organization_id, given.livemode, given.ticket_id, given.user_id)
      for key share of m, t
    )
    insert into notifications as n (organization_id, livemode, id, user_id, kind, ticket_id, count)
    select * from given
    on conflict (organization_id, livemode, user_id, ticket_id, kind) where read_at is null do update set
      id = excluded.id, count = n.count + excluded.count, shown_at = null, created_at = now()
    returning organization_id, livemode, id, user_id`

/** After a merge: unread ones of tickets that it emptied are about the ticket that has their messages now. */
export const moveUnread = (tx: TenantTx, { into }: MergedPair) =>
  tx.run`
    with remaining as (
      select id from tickets where contact_id = ${into} and status = 'open' order by last_activity_at desc, id desc limit 1
    ), unread as (
      delete from notifications n using tickets t, remaining
      where t.id = n.ticket_id and t.contact_id = ${into} and t.status = 'closed' and t.message_count = 0
        and n.read_at is null
      returning n.user_id, n.kind, n.id, n.count, n.shown_at, n.created_at, remaining.id as ticket_id
    )
    insert into notifications as n (user_id, kind, ticket_id, id, count, shown_at, created_at)
    select user_id, kind, ticket_id, (array_agg(id order by id desc))[1], sum(count), max(shown_at), max(created_at)
    from unread group by user_id, kind, ticket_id
    on conflict (organization_id, livemode, user_id, ticket_id, kind) where read_at is null
      do update set count = n.count + excluded.count`

export const deleteOldNotifications = (tx: SystemSql, oldestKept: string, batchSize: number) =>
  tx.run`
    delete from notifications where (organization_id, livemode, id) in (
      select organization_id, livemode, id from notifications where id < ${oldestKept} order by id limit ${batchSize})`
