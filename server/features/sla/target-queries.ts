import Type, { type Static } from 'typebox'
import type { SystemTx, TenantTx } from '../../platform/database.ts'
import { type EventRange, isInRange } from '../../platform/events.ts'
import { Id, Nullable } from '../../platform/schemas.ts'
import {
  messageFailed,
  messageReceived,
  messageSent,
  ticketClosed,
  ticketReopened,
  ticketUpdated,
} from '../inbox/events.ts'

const Locked = Type.Object({ sla_due_at: Nullable(Type.String()), sla_target: Nullable(Type.String()) })

export const lockTicketRow = (tx: TenantTx, id: string) =>
  tx.maybe(Locked)`select sla_due_at, sla_target from tickets where id = ${id} for update`

/**
 * Brings the targets of a ticket up to date with its messages, its status and the policy that applies: the one for its
 * team and priority, else for its priority, else for its team, else the general one. A target starts with the message
 * or the opening that it is about, so that repeating this changes nothing. Targets that are no longer wanted end, those
 * for a reply with the time of the reply.
 */
export const refreshTargetRows = (tx: TenantTx, ticketId: string) =>
  tx.run`
    with policy as (
      select p.* from sla_policies p, tickets
      where tickets.id = ${ticketId} and tickets.status = 'open' and coalesce(p.team_id = tickets.team_id, p.team_id is null)
        and coalesce(p.priority = priority_of(tickets), true)
      order by p.priority is null, p.team_id is null limit 1
    ), wanted as materialized (
      select target.kind, target.started_at,
        add_open_minutes(s, target.started_at, target.minutes) as due_at,
        add_open_minutes(s, target.started_at, greatest(target.minutes - policy.warning_minutes, 0)) as warn_at
      from policy join tickets on tickets.id = ${ticketId}
        left join schedules s on s.organization_id = policy.organization_id and s.id = policy.schedule_id
        cross join lateral (select unanswered_since(tickets, policy.counts_ai_replies) as waiting_since,
          (last_reply(tickets, policy.counts_ai_replies)).id is not null as has_reply) facts
        cross join lateral (values
          ('first_reply', case when not has_reply then facts.waiting_since end, policy.first_reply_minutes),
          ('next_reply', case when has_reply then facts.waiting_since end, policy.next_reply_minutes),
          -- Tickets that were reopened before the time was recorded have a target that started then.
          ('resolution', coalesce(tickets.reopened_at, (select max(r.started_at) from ticket_targets r
              where r.ticket_id = tickets.id and r.kind = 'resolution'), tickets.created_at), policy.resolution_minutes)
        ) target (kind, started_at, minutes)
      where target.started_at is not null and target.minutes is not null
    ), stored as (
      insert into ticket_targets as t (ticket_id, kind, started_at, due_at, warn_at)
      select ${ticketId}, kind, started_at, due_at, warn_at from wanted where due_at is not null
      on conflict (organization_id, livemode, ticket_id, kind, started_at) do update
        set due_at = excluded.due_at, warn_at = excluded.warn_at, ended_at = null
        where (t.due_at, t.warn_at) is distinct from (excluded.due_at, excluded.warn_at) or t.ended_at is not null
    )
    update ticket_targets t set ended_at = coalesce(case when t.kind <> 'resolution' then (
      select reply.created_at
      from tickets, last_reply(tickets, coalesce((select counts_ai_replies from policy), false)) reply
      where tickets.id = t.ticket_id and reply.created_at >= t.started_at) end, now())
    where t.ticket_id = ${ticketId} and t.ended_at is null and not exists (
      select from wanted where wanted.kind = t.kind and wanted.started_at = t.started_at and wanted.due_at is not null)`

const Reached = Type.Object({
  kind: Type.Unsafe<'first_reply' | 'next_reply' | 'resolution'>({ type: 'string' }),
  started_at: Type.String(),
  due_at: Type.String(),
})
export type Reached = Static<typeof Reached>

/** Targets whose warning time has come, each once. A target that is missed already is not warned of. */
export const markWarned = (tx: TenantTx, ticketId: string) =>
  tx.all(Reached)`
    update ticket_targets set warned_at = now()
    where ticket_id = ${ticketId} and ended_at is null and warned_at is null and breached_at is null
      and warn_at <= now() and due_at > now()
    returning kind, started_at, due_at`

/** Targets that were missed, each once: also those that ended late, before a worker looked. */
export const markBreached = (tx: TenantTx, ticketId: string) =>
  tx.all(Reached)`
    update ticket_targets set breached_at = now()
    where ticket_id = ${ticketId} and breached_at is null and due_at < coalesce(ended_at, now())
    returning kind, started_at, due_at`

const Next = Type.Object({
  due_at: Nullable(Type.String()),
  kind: Nullable(Type.String()),
  check_at: Nullable(Type.String()),
})

/**
 * The first target that is due, and when to look again: a target that is neither reached nor ended always has a job for
 * this time.
 */
export const findNext = (tx: TenantTx, ticketId: string) =>
  tx.one(Next)`
    select (array_agg(due_at order by due_at))[1] as due_at, (array_agg(kind order by due_at))[1] as kind,
      min(case when breached_at is not null then null when warned_at is null then warn_at else due_at end) as check_at
    from ticket_targets where ticket_id = ${ticketId} and ended_at is null`

export const storeDue = (tx: TenantTx, ticketId: string, dueAt: string | null, target: string | null) =>
  tx.run`update tickets set sla_due_at = ${dueAt}, sla_target = ${target} where id = ${ticketId}`

const TicketRef = Type.Object({ organization_id: Id, livemode: Type.Boolean(), id: Id })
type TicketRef = Static<typeof TicketRef>

const messageTypes = [messageReceived, messageSent, messageFailed].map(({ type }) => type)
const ticketTypes = [ticketClosed, ticketReopened, ticketUpdated].map(({ type }) => type)
export const followedTypes = [...messageTypes, ...ticketTypes]

/** The tickets that these events are about. `ticket.updated` for a new due time is this feature's own. */
export const findMentionedTickets = (tx: SystemTx, range: EventRange) =>
  tx.all(TicketRef)`
    select distinct organization_id, livemode, (data #>> case when type = any(${messageTypes}::text[])
      then '{object,inbox_id}'::text[] else '{object,id}' end)::uuid as id
    from events
    where ${isInRange(range)} and (type = any(${ticketTypes}::text[])
        and array(select jsonb_object_keys(data -> 'previous')) <> '{sla_due_at}'
      or type = any(${messageTypes}::text[]) and data #>> '{object,inbox_id}' is not null)`

/** Of these tickets, those that have targets or could get some. */
export const findHeldTickets = (tx: SystemTx, given: TicketRef[]) =>
  tx.all(TicketRef)`
    select t.organization_id, t.livemode, t.id
    from unnest(${given.map(({ organization_id }) => organization_id)}::uuid[],
        ${given.map(({ livemode }) => livemode)}::boolean[], ${given.map(({ id }) => id)}::uuid[])
        given (organization_id, livemode, id)
      join tickets t using (organization_id, livemode, id)
    where t.sla_due_at is not null or exists (select from sla_policies p where p.organization_id = t.organization_id)`

const OpenTicket = Type.Object({ id: Id, last_activity_at: Type.String() })
export type OpenTicket = Static<typeof OpenTicket>

/** Bounds the transaction that adds their jobs. */
export const ticketBatch = 200

/** Open tickets that have targets or could get some, the most recently active first. */
export const findOpenTickets = (tx: TenantTx, behind: OpenTicket | null) =>
  tx.all(OpenTicket)`
    select id, last_activity_at from tickets
    where status = 'open' and (sla_due_at is not null or exists (select from sla_policies))
      and (last_activity_at, id) < (coalesce(${behind?.last_activity_at ?? null}::timestamptz, 'infinity'),
        coalesce(${behind?.id ?? null}::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
    order by last_activity_at desc, id desc limit ${ticketBatch}`
