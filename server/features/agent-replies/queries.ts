import Type, { type Static } from 'typebox'
import type { SystemSql, SystemTx, TenantSql, TenantTx } from '../../platform/database.ts'
import { Nullable } from '../../platform/schemas.ts'
import { type Fragment, sql } from '../../platform/sql.ts'

const Waiting = Type.Object({
  organization_id: Type.String(),
  livemode: Type.Boolean(),
  ticket_id: Type.String(),
  message_id: Type.String(),
})
export type Waiting = Static<typeof Waiting>

export interface Arrived {
  organizationId: string
  livemode: boolean
  id: string
}

/** The columns that `unnest` turns into rows. */
const columnsOf = (given: Arrived[]) =>
  [given.map((each) => each.organizationId), given.map((each) => each.livemode), given.map((each) => each.id)] as const

/** Queues messages that an agent should answer: AI handles their contact and their channel has an active agent. */
export const queueMessages = (tx: SystemTx, messages: Arrived[]) => queue(tx, messages, sql`true`)

/**
 * Queues edited messages, unless an agent's answer already covers the new text: an answer stored after the edit was
 * applied has seen it, because both hold the contact's lock.
 */
export const queueEdited = (tx: SystemTx, messages: Arrived[]) =>
  queue(
    tx,
    messages,
    sql`m.revoked_at is null and not exists (
      select from messages answer where answer.organization_id = m.organization_id and answer.livemode = m.livemode
        and answer.ticket_id = m.ticket_id and answer.direction = 'outbound' and answer.actor_type = 'ai'
        and answer.created_at > (m.edits ->> 'applied_at')::timestamptz)`,
  )

function queue(tx: SystemTx, messages: Arrived[], condition: Fragment) {
  const [organizations, modes, ids] = columnsOf(messages)
  return tx.all(Waiting)`
    insert into messages_to_answer (organization_id, livemode, message_id, ticket_id)
    select m.organization_id, m.livemode, m.id, m.ticket_id
    from unnest(${organizations}::uuid[], ${modes}::boolean[], ${ids}::uuid[]) given (organization_id, livemode, id)
      join messages m on m.organization_id = given.organization_id and m.livemode = given.livemode and m.id = given.id
      join contacts c on c.organization_id = m.organization_id and c.livemode = m.livemode and c.id = m.contact_id
      join channels on channels.organization_id = m.organization_id and channels.livemode = m.livemode
        and channels.id = m.channel_id
      join agents a on a.organization_id = m.organization_id and a.livemode = m.livemode and a.id = channels.agent_id
    where m.ticket_id is not null and c.ai_handling and channels.deleted_at is null and replies_now(a)
      and ${condition}
    on conflict do nothing
    returning organization_id, livemode, ticket_id, message_id`
}

/**
 * Queues what a contact wrote in the last day without an answer, when it is handed back to an agent. An away message is
 * no answer, and a rating needs none. Ids are in order of arrival.
 */
export function queueUnanswered(tx: SystemTx, contacts: Arrived[]) {
  const [organizations, modes, ids] = columnsOf(contacts)
  return tx.all(Waiting)`
    insert into messages_to_answer (organization_id, livemode, message_id, ticket_id)
    select m.organization_id, m.livemode, m.id, m.ticket_id
    from unnest(${organizations}::uuid[], ${modes}::boolean[], ${ids}::uuid[]) given (organization_id, livemode, id)
      join contacts c on c.organization_id = given.organization_id and c.livemode = given.livemode and c.id = given.id
      cross join lateral (
        select t.id from tickets t where t.organization_id = c.organization_id and t.livemode = c.livemode
          and t.contact_id = c.id and t.status = 'open'
        order by t.last_activity_at desc, t.id desc limit 1) ticket
      cross join lateral (
        select newest.* from (
          select * from messages m where m.organization_id = c.organization_id and m.livemode = c.livemode
            and m.ticket_id = ticket.id and m.created_at > now() - interval '1 day'
          order by m.created_at desc, m.id desc limit 50) newest) m
      join channels on channels.organization_id = m.organization_id and channels.livemode = m.livemode
        and channels.id = m.channel_id
      join agents a on a.organization_id = m.organization_id and a.livemode = m.livemode and a.id = channels.agent_id
    where c.ai_handling and m.direction = 'inbound' and channels.deleted_at is null and replies_now(a)
      and not coalesce(m.payload ? 'rating', false)
      and not exists (
        select from messages later where later.organization_id = m.organization_id and later.livemode = m.livemode
          and later.ticket_id = m.ticket_id and later.direction = 'outbound' and later.id > m.id
          and later.actor_type <> 'system'
          and later.created_at > now() - interval '2 days')
    on conflict do nothing
    returning organization_id, livemode, ticket_id, message_id`
}

/** Removes messages that their contacts deleted. Returns the newest waiting message of each affected ticket. */
export function dropRevoked(tx: SystemTx, messages: Arrived[]) {
  const [organizations, modes, ids] = columnsOf(messages)
  return tx.all(Waiting)`
    with given as (
      select * from unnest(${organizations}::uuid[], ${modes}::boolean[], ${ids}::uuid[]) g (organization_id, livemode, id)
    ), dropped as (
      delete from messages_to_answer w using given where w.organization_id = given.organization_id
        and w.livemode = given.livemode and w.message_id = given.id
    )
    select distinct on (w.ticket_id) w.organization_id, w.livemode, w.ticket_id, w.message_id
    from given
      join messages revoked on revoked.organization_id = given.organization_id and revoked.livemode = given.livemode
        and revoked.id = given.id
      join messages_to_answer w on w.organization_id = given.organization_id and w.livemode = given.livemode
        and w.ticket_id = revoked.ticket_id
      join messages m on m.organization_id = w.organization_id and m.livemode = w.livemode and m.id = w.message_id
    where m.revoked_at is null
    order by w.ticket_id, w.message_id desc`
}

const TicketState = Type.Object({
  status: Type.String(),
  contact_id: Type.String(),
  contact_name: Type.String(),
  assignee_id: Nullable(Type.String()),
  ai_handling: Type.Boolean(),
  /** The active agent of the channel that the contact wrote to. */
  agent_id: Nullable(Type.String()),
  /** Whether the 24-hour window of the contact is open on that channel. */
  is_open: Type.Boolean(),
  /** Whether the contact opted out after the first waiting message. */
  has_opted_out: Type.Boolean(),
  is_blocked: Type.Boolean(),
  person_answered: Type.Boolean(),
  waiting: Type.Array(Type.String()),
  /** When each waiting message was last edited; empty for never. */
  versions: Type.Array(Type.String()),
  newest_ms: Type.Number(),
  oldest_ms: Type.Number(),
  answers_this_hour: Type.Integer(),
})
export type TicketState = Static<typeof TicketState>

/** Everything that decides whether an agent answers in this ticket. No row if no message is waiting. */
export const findTicketState = (tx: TenantSql, ticketId: string) =>
  tx.maybe(TicketState)`
    select tickets.status, contacts.id as contact_id, tickets.assignee_id, contacts.ai_handling,
      coalesce(nullif(contacts.name, ''), nullif(contacts.phone_number, ''), 'a contact') as contact_name,
      answering.agent_id, coalesce(answering.is_open, false) as is_open,
      contacts.blocked_at is not null as is_blocked,
      coalesce(contacts.opted_out_at >= waiting.first_at, false) as has_opted_out,
      exists (select from messages where messages.ticket_id = tickets.id and messages.created_at > waiting.noted_at - interval '1 hour'
        and messages.direction = 'outbound' and messages.actor_type = 'user' and messages.id > waiting.ids[1]
        and messages.payload ->> 'campaign_id' is null) as person_answered,
      waiting.ids as waiting, waiting.versions, waiting.newest_ms, waiting.oldest_ms,
      (select count(*) from agent_answers where agent_answers.contact_id = contacts.id
        and agent_answers.created_at > now() - interval '1 hour')::integer as answers_this_hour
    from tickets join contacts on contacts.id = tickets.contact_id
      and contacts.organization_id = tickets.organization_id and contacts.livemode = tickets.livemode
      cross join lateral (
        select array_agg(w.message_id order by w.message_id) as ids,
          array_agg(coalesce(messages.edits ->> 'applied_at', '') order by w.message_id) as versions, min(messages.created_at) as first_at,
          (array_agg(messages.channel_id order by w.message_id desc))[1] as channel_id,
          min(w.created_at) as noted_at,
          extract(epoch from clock_timestamp() - max(w.created_at))::float8 * 1000 as newest_ms,
          extract(epoch from clock_timestamp() - min(w.created_at))::float8 * 1000 as oldest_ms
        from messages_to_answer w join messages on messages.id = w.message_id
          and messages.organization_id = w.organization_id and messages.livemode = w.livemode
        where w.ticket_id = tickets.id and messages.revoked_at is null) waiting
      left join lateral (
        select agents.id as agent_id, exists (
            select from chat_windows w where w.contact_id = contacts.id and w.channel_id = channels.id
              and w.last_inbound_at > now() - interval '24 hours') as is_open
        from channels join agents on agents.id = channels.agent_id
          and agents.organization_id = channels.organization_id and agents.livemode = channels.livemode
        where channels.id = waiting.channel_id and channels.deleted_at is null and agents.is_active = 'active'
      ) answering on true
    where tickets.id = ${ticketId} and waiting.ids is not null`

const Handling = Type.Object({ ai_handling: Type.Boolean() })

export const findHandling = (tx: TenantSql, contactId: string) =>
  tx.maybe(Handling)`select ai_handling from contacts where id = ${contactId}`

export const lockHandling = (tx: TenantTx, contactId: string) =>
  tx.maybe(Handling)`select ai_handling from contacts where id = ${contactId} for update`

const Attempts = Type.Object({ attempts: Type.Integer() })

/** Returns the number of attempts for each message, including this one. */
export const countAttempt = (tx: TenantTx, messageIds: string[]) =>
  tx.all(Attempts)`
    update messages_to_answer set attempts = attempts + 1 where message_id = any(${messageIds}::uuid[])
    returning attempts`

/** Returns how many of them were still waiting. */
export const removeWaiting = (tx: TenantTx, messageIds: string[]) =>
  tx.run`delete from messages_to_answer where message_id = any(${messageIds}::uuid[])`

/** Sets the ticket of waiting messages to the one that their message is in now, and returns those that changed. */
export const followTickets = (tx: TenantTx, contactId: string) =>
  tx.all(Waiting)`
    update messages_to_answer w set ticket_id = m.ticket_id
    from messages m
    where w.message_id = any(array(select id from messages where contact_id = ${contactId} and ticket_id is not null))
      and m.id = w.message_id and m.organization_id = w.organization_id and m.livemode = w.livemode
      and w.ticket_id <> m.ticket_id
    returning w.organization_id, w.livemode, w.ticket_id, w.message_id`

export const recordAnswer = (tx: TenantTx, messageId: string, contactId: string) =>
  tx.run`insert into agent_answers (message_id, contact_id) values (${messageId}, ${contactId})`

export const sweepAnswers = (system: SystemSql) =>
  system.run`delete from agent_answers where created_at < now() - interval '2 hours'`

/** Messages that no worker answered within a day: the 24-hour window for a free-form answer has closed. */
export const sweepWaiting = (system: SystemSql) =>
  system.run`delete from messages_to_answer where created_at < now() - interval '1 day'`
