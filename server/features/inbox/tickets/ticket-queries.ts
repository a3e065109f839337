import Type from 'typebox'
import type { TenantSql, TenantTx } from '../../../platform/database.ts'
import { sql } from '../../../platform/sql.ts'
import { priorities, Ticket, TicketWithContact } from './schema.ts'

/** The channels that an active agent answers are read once per statement. */
export const answeredByAi = sql`coalesce(tickets.ai_handling and tickets.channel_id = any(
  (select answering_channels(current_organization(), current_livemode()))::uuid[]), false)`

/**
 * The window is that of the channel that a reply would use: the ticket's own, else the one that the contact last wrote
 * to.
 */
export const ticketColumns = sql`tickets.id, tickets.organization_id, tickets.contact_id,
  tickets.channel_id as chat_phone_number_id, tickets.status, tickets.assignee_id, tickets.team_id,
  tickets.sla_due_at, tickets.sla_target,
  (array['low', 'normal', 'high', 'urgent'])[tickets.priority + 1] as priority, tickets.tags, tickets.snoozed_until,
  tickets.waiting_since, case when ${answeredByAi} then 'ai' else 'person' end as answered_by, tickets.unread_count,
  tickets.last_message_at,
  (select w.last_inbound_at + interval '24 hours' from chat_windows w
    where w.contact_id = tickets.contact_id and (tickets.channel_id is null or w.channel_id = tickets.channel_id)
    order by w.last_inbound_at desc limit 1) as window_expires_at,
  tickets.rating, tickets.rated_at, tickets.livemode, tickets.created_at, tickets.updated_at`

export const withContact = sql`${ticketColumns},
  (select c.ai_handling from contacts c where c.id = tickets.contact_id) as ai_handling,
  (select json_build_object('id', m.id, 'direction', m.direction, 'message_type', m.message_type,
      'preview', case when m.revoked_at is null then left(m.body, 120) else 'Message deleted' end, 'status', m.status, 'actor_type', m.actor_type)
    from messages m where m.ticket_id = tickets.id order by m.created_at desc, m.id desc limit 1) as last_message,
  (select json_build_object('id', c.id, 'name', c.name, 'phone_number', c.phone_number, 'tags', c.tags,
      'notes', c.notes, 'custom_fields', c.custom_fields)
    from contacts c where c.id = tickets.contact_id) as contact`

export const findTicket = (tx: TenantSql, id: string) =>
  tx.maybe(TicketWithContact)`select ${withContact} from tickets where id = ${id}`

const TicketId = Type.Object({ id: Type.String() })

export const findTicketId = (tx: TenantSql, id: string) => tx.maybe(TicketId)`select id from tickets where id = ${id}`

export const lockTicket = (tx: TenantTx, id: string) =>
  tx.maybe(Ticket)`select ${ticketColumns} from tickets where id = ${id} for update`

export const lockTickets = (tx: TenantTx, ids: string[]) =>
  tx.all(Ticket)`select ${ticketColumns} from tickets where id = any(${ids}::uuid[]) order by id for update`

const Locked = Type.Object({ id: Type.String() })

/** A transaction that opens a ticket holds its contact's lock, so that two transactions never open one each. */
export const lockContacts = (tx: TenantTx, ids: string[]) =>
  tx.all(Locked)`select id from contacts where id = any(${ids}::uuid[]) order by id for no key update`

const OpenTicket = Type.Object({ id: Type.String(), contact_id: Type.String() })

/** The most recently active open ticket of each contact that has one. */
export const findOpenTickets = (tx: TenantSql, contactIds: string[]) =>
  tx.all(OpenTicket)`
    select newest.id, contact.id as contact_id from unnest(${contactIds}::uuid[]) contact (id) cross join lateral (
      select id from tickets where contact_id = contact.id and status = 'open'
      order by last_activity_at desc, id desc limit 1) newest`

export const insertTickets = (
  tx: TenantTx,
  rows: { id: string; contactId: string }[],
  assigneeId: string | null = null,
) =>
  tx.all(Ticket)`
    insert into tickets (assignee_id, id, contact_id)
    select ${assigneeId}::uuid, * from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ contactId }) => contactId)}::uuid[])
    returning ${ticketColumns}`

interface TicketUpdate {
  ticketId: string
  channelId: string
  messages: number
  /** How many of these messages are unread. */
  unread: number
  /** When the last of them was written; null for now. */
  at: string | null
  /**
   * Who wrote them. A contact waits from its message on until a person or an agent answers. A campaign, an away message
   * and a request for a rating are no answers, and a rating needs none.
   */
  from: 'contact' | 'person' | 'ai' | 'campaign' | 'system' | 'rating'
}

/**
 * Updates the counters of tickets. Must run in the transaction that adds the messages. An agent that hands the contact
 * off with its message leaves it waiting.
 */
export const addMessageCounts = (tx: TenantTx, updates: TicketUpdate[]) =>
  tx.run`
    update tickets set
      channel_id = added.channel_id, message_count = message_count + added.messages,
      unread_count = unread_count + added.unread,
      last_message_at = greatest(last_message_at, coalesce(added.at, now())),
      waiting_since = case when added.sender = 'contact' and tickets.status = 'open' then coalesce(waiting_since, now())
        when added.sender = 'person' or added.sender = 'ai' and tickets.ai_handling then null else waiting_since end,
      last_activity_at = greatest(last_activity_at, now()), updated_at = now()
    from unnest(${updates.map(({ ticketId }) => ticketId)}::uuid[], ${updates.map(({ channelId }) => channelId)}::uuid[],
      ${updates.map(({ messages }) => messages)}::integer[], ${updates.map(({ unread }) => unread)}::integer[],
      ${updates.map(({ at }) => at)}::timestamptz[], ${updates.map(({ from }) => from)}::text[])
      added (ticket_id, channel_id, messages, unread, at, sender)
    where tickets.id = added.ticket_id`

export type TicketValues = Pick<
  Ticket,
  'id' | 'status' | 'assignee_id' | 'team_id' | 'priority' | 'tags' | 'snoozed_until'
>

/** A change of status counts as activity, other changes do not. A contact does not wait in a closed ticket. */
export const updateTicketRows = (tx: TenantTx, rows: TicketValues[]) =>
  tx.all(Ticket)`
    update tickets set status = given.status, assignee_id = given.assignee_id, team_id = given.team_id, priority = given.priority,
      tags = array(select jsonb_array_elements_text(given.tags)), snoozed_until = given.snoozed_until,
      waiting_since = case when given.status = 'open' then tickets.waiting_since end, updated_at = now(),
      last_activity_at = case when tickets.status = given.status then tickets.last_activity_at
        else greatest(tickets.last_activity_at, now()) end
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ status }) => status)}::text[],
      ${rows.map(({ assignee_id }) => assignee_id)}::uuid[], ${rows.map(({ team_id }) => team_id)}::uuid[],
      ${rows.map(({ priority }) => priorities.indexOf(priority))}::smallint[],
      ${rows.map(({ tags }) => JSON.stringify(tags))}::jsonb[],
      ${rows.map(({ snoozed_until }) => snoozed_until)}::timestamptz[])
      given (id, status, assignee_id, team_id, priority, tags, snoozed_until)
    where tickets.id = given.id
    returning ${ticketColumns}`

/** Brings back tickets that are set aside; with `isDue`, only those whose time has come. */
export const clearSnoozed = (tx: TenantTx, ids: string[], isDue: boolean) =>
  tx.all(Ticket)`
    update tickets set snoozed_until = null, last_activity_at = greatest(last_activity_at, now()), updated_at = now()
    where id = any(${ids}::uuid[]) and snoozed_until <= ${isDue ? sql`now()` : sql`'infinity'`}
    returning ${ticketColumns}`

export const clearUnread = (tx: TenantTx, id: string) =>
  tx.one(Ticket)`update tickets set unread_count = 0, updated_at = now() where id = ${id} returning ${ticketColumns}`
