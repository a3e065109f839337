import Type, { type Static } from 'typebox'
import type { SystemTx } from '../../../platform/database.ts'
import { type EventRange, isInRange } from '../../../platform/events.ts'
import { Id, Instant } from '../../../platform/schemas.ts'
import { sql } from '../../../platform/sql.ts'
import { contactHandoff, contactMerged } from '../../contacts/events.ts'
import {
  messageReceived,
  messageSent,
  ticketClosed,
  ticketOpened,
  ticketRated,
  ticketReopened,
  ticketUpdated,
} from '../../inbox/events.ts'
import { Conversation, Step } from './conversation.ts'

const messageTypes = [messageReceived, messageSent].map(({ type }) => type)
const ticketTypes = [ticketOpened, ticketClosed, ticketRated, ticketReopened, ticketUpdated].map(({ type }) => type)
export const followedTypes = [...messageTypes, ...ticketTypes, contactHandoff.type, contactMerged.type]

const senderOfMessage = sql`case
  when type = ${messageReceived.type} then 'contact'
  when data #>> '{object,payload,campaign_id}' is not null then 'campaign'
  when data #>> '{object,actor_type}' = 'ai' then 'agent'
  when data #>> '{object,actor_type}' = 'user' then 'member'
  else 'system' end`

/** A message counts when it was written, however late its event is. */
export const countMessages = (tx: SystemTx, range: EventRange) =>
  tx.run`
    insert into reported_messages as r (organization_id, livemode, quarter, channel_id, sender, n)
    select organization_id, livemode,
      date_bin('15 minutes', (data #>> '{object,created_at}')::timestamptz, '2000-01-01T00:00:00Z'::timestamptz),
      (data #>> '{object,chat_phone_number_id}')::uuid, ${senderOfMessage}, count(*)
    from events where ${isInRange(range)} and type = any(${messageTypes}::text[])
    group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (organization_id, livemode, quarter, channel_id, sender) do update set n = r.n + excluded.n`

/** In order. Ratings, and messages without a ticket, which are those of campaigns, are only counted. */
export const readSteps = (tx: SystemTx, range: EventRange) =>
  tx.all(Step)`
    select organization_id, livemode, type,
      (case when is_message then object ->> 'inbox_id' when is_ticket then object ->> 'id' end)::uuid as ticket_id,
      (case when is_message or is_ticket then object ->> 'contact_id' else object ->> 'id' end)::uuid as contact_id,
      (object ->> 'chat_phone_number_id')::uuid as channel_id,
      (case when is_ticket then object ->> 'assignee_id' when object ->> 'actor_type' = 'user' then object ->> 'actor_id'
        end)::uuid as member_id,
      (object ->> 'team_id')::uuid as team_id,
      case when is_ticket then array(select jsonb_array_elements_text(object -> 'tags')) end as tags,
      object ->> 'rating' as rating, (object ->> 'rated_at')::timestamptz(3) as rated_at,
      case when is_message then sender end as sender,
      (object ->> 'merged_contact_id')::uuid as merged_contact_id,
      (case when is_message then object ->> 'created_at' else object ->> 'updated_at' end)::timestamptz as at
    from (
      select organization_id, livemode, type, data -> 'object' as object, transaction_id, id,
        type = any(${messageTypes}::text[]) as is_message, type = any(${ticketTypes}::text[]) as is_ticket,
        ${senderOfMessage} as sender
      from events where ${isInRange(range)} and (type = any(${ticketTypes}::text[])
        or type = any(${messageTypes}::text[]) and data #>> '{object,inbox_id}' is not null
          and data #> '{object,payload,rating}' is null
        or type = ${contactHandoff.type} and data #>> '{object,ai_handling}' = 'false'
        or type = ${contactMerged.type})
    ) step
    order by transaction_id, id`

const LockedTicket = Type.Object({ organization_id: Id, livemode: Type.Boolean(), ticket_id: Id, created_at: Instant })

/** The tickets that still exist. They cannot be deleted before the commit, so that their rows can be written. */
export function lockTickets(tx: SystemTx, steps: Step[]) {
  const byTicket = new Map(steps.flatMap((step) => (step.ticket_id ? [[step.ticket_id, step]] : [])))
  const wanted = [...byTicket.values()]
  return tx.all(LockedTicket)`
    select t.organization_id, t.livemode, t.id as ticket_id, t.created_at
    from unnest(${wanted.map(({ organization_id }) => organization_id)}::uuid[],
        ${wanted.map(({ livemode }) => livemode)}::boolean[], ${wanted.map(({ ticket_id }) => ticket_id)}::uuid[])
        wanted (organization_id, livemode, id)
      join tickets t on t.organization_id = wanted.organization_id and t.livemode = wanted.livemode and t.id = wanted.id
    order by t.id for key share of t`
}

const columns = sql`c.organization_id, c.livemode, c.ticket_id, c.started_at, c.is_reopened, c.contact_id, c.channel_id,
  c.assignee_id, c.team_id, c.ticket_tags, c.replier_id, c.first_inbound_at, c.first_reply_at, c.first_member_reply_at, c.agent_replies,
  c.member_replies, c.is_handed_off, c.ended_at, c.rating, c.rated_at`

/** The latest conversation of each ticket, and the open ones of contacts that have an event of their own. */
export function findConversations(tx: SystemTx, tickets: Static<typeof LockedTicket>[], steps: Step[]) {
  const contacts = steps.filter(({ ticket_id }) => ticket_id === null)
  return tx.all(Conversation)`
    select ${columns} from unnest(${tickets.map(({ organization_id }) => organization_id)}::uuid[],
        ${tickets.map(({ livemode }) => livemode)}::boolean[], ${tickets.map(({ ticket_id }) => ticket_id)}::uuid[])
        wanted (organization_id, livemode, id)
      cross join lateral (
        select * from reported_conversations r where r.organization_id = wanted.organization_id
          and r.livemode = wanted.livemode and r.ticket_id = wanted.id order by started_at desc limit 1) c
    union
    select ${columns} from unnest(${contacts.map(({ organization_id }) => organization_id)}::uuid[],
        ${contacts.map(({ livemode }) => livemode)}::boolean[],
        ${contacts.map(({ contact_id, merged_contact_id }) => merged_contact_id ?? contact_id)}::uuid[])
        wanted (organization_id, livemode, contact_id)
      join reported_conversations c on c.organization_id = wanted.organization_id and c.livemode = wanted.livemode
        and c.contact_id = wanted.contact_id and c.ended_at is null`
}

export const storeConversations = (tx: SystemTx, rows: Conversation[]) =>
  tx.run`
    insert into reported_conversations
    select c.* from jsonb_populate_recordset(null::reported_conversations, ${JSON.stringify(rows)}::jsonb) c
    on conflict (organization_id, livemode, ticket_id, started_at) do update set
      contact_id = excluded.contact_id, channel_id = excluded.channel_id, assignee_id = excluded.assignee_id,
      team_id = excluded.team_id, ticket_tags = excluded.ticket_tags, replier_id = excluded.replier_id, first_inbound_at = excluded.first_inbound_at,
      first_reply_at = excluded.first_reply_at, first_member_reply_at = excluded.first_member_reply_at,
      agent_replies = excluded.agent_replies, member_replies = excluded.member_replies,
      is_handed_off = excluded.is_handed_off, ended_at = excluded.ended_at, rating = excluded.rating,
      rated_at = excluded.rated_at`

/** The conversations of a contact that became part of another one. */
export const moveConversations = (tx: SystemTx, { organization_id, livemode, merged_contact_id, contact_id }: Step) =>
  tx.run`
    update reported_conversations set contact_id = ${contact_id}
    where organization_id = ${organization_id} and livemode = ${livemode} and contact_id = ${merged_contact_id}`

/** A ticket that is rated again after it was reopened has one rating, the latest. */
export const dropEarlierRatings = (tx: SystemTx, ticketIds: string[]) =>
  tx.run`
    update reported_conversations earlier set rating = null, rated_at = null
    from reported_conversations latest
    where latest.ticket_id = any(${ticketIds}::uuid[]) and latest.rated_at is not null
      and earlier.organization_id = latest.organization_id and earlier.livemode = latest.livemode
      and earlier.ticket_id = latest.ticket_id and earlier.started_at < latest.started_at
      and earlier.rated_at is not null`
